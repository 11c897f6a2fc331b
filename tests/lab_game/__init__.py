"""A tiny game for tests of the lab: one card each, in secret; a knob plants a defect."""

ORDER = 99
