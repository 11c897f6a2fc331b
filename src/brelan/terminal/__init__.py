"""A table in the terminal: the session, its menu, the screen, and the rulebook."""
