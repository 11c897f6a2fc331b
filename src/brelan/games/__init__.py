"""The games: each folder is one, found by itself."""
