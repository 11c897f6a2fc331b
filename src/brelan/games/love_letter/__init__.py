"""Love Letter: 2 to 6 players, 21 cards, matches to six favour tokens."""

ORDER = 1  # in the catalogue
