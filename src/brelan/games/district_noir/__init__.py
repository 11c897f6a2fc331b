"""District Noir: five for you, five for me, and the last cards of the row."""

ORDER = 2
