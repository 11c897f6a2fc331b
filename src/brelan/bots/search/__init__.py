"""The search: information-set Monte Carlo tree search, its levels and its bot."""
