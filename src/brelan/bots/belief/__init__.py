"""Belief: a seat's distribution over worlds and over the bots that its opponents play like.

`tracker.BeliefTracker` chooses one of four methods and runs it: exact enumeration (`exact`), a
particle filter (`particles`), importance sampling (`importance`) or rejection sampling
(`rejection`). Nothing here imports the search.

Rules of this package take the same records: `state` is the world that is played, `view` what one
seat sees of it, and `raw` the same memory as rows of 64-bit words (`raw.state`, `raw.seen`) with
the masks of all seats. `scratch` holds legal moves and the stream of luck. `seat` is the observer.
"""
