"""A study: matches of one variant at some levels of play, and the figures that they give."""
