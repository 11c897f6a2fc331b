"""`python -m brelan` is the `brelan` program."""

from brelan.cli import main

if __name__ == "__main__":
    main()
