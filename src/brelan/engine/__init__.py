"""The engine: a game with its knobs set, a match of it, and what each seat sees of that match."""
