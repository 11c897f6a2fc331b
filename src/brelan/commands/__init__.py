"""The commands of the `brelan` program, one in each file."""
