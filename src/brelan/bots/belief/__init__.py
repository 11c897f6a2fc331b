"""Belief: which worlds are likely, and which bots the other seats play like."""
