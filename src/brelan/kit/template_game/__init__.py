"""Kuhn poker: three cards, two players, one bet. The smallest complete game, to be copied."""

ORDER = 99  # in the catalogue
