"""Learning by self-play: proximal policy optimisation with numpy. See docs/learned.md."""
