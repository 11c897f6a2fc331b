"""Batailles et piques: hidden armies, bluff and memory, for three to six players."""

ORDER = 5
