"""The search: information-set Monte Carlo tree search over worlds sampled from a belief.

`bot.SearchBot` plays; `searcher.Searcher` runs one thread; `tree` holds the information sets;
`rollout` plays simulations; `settings` defines the levels; `stats` is what is known of a move.
docs/search.md explains the algorithm.
"""
