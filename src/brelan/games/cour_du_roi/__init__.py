"""La cour du Roi: serve a secret King, and build his court together with his rivals."""

ORDER = 4
