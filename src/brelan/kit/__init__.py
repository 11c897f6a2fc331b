"""The kit for a game of one's own: a template, and how it becomes a new folder."""
