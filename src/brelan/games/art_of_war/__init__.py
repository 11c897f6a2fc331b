"""Art of War: two Kings, three columns, and a blow that is exactly hard enough."""

ORDER = 3
