"""Claims in a family: how sure each one is when many are looked at.

Of a hundred claims that are all false, five are significant at 5 %. Holm's procedure corrects that:
the chance that any false claim is among those shown is at most 5 %, however the claims depend on
each other, as claims of one set of matches do. A sentence on a report is a claim that somebody acts
upon, so no share of false ones (as Benjamini and Hochberg allow) is accepted.

S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6 (1979).
"""

from __future__ import annotations

from collections.abc import Sequence

ALPHA = 0.05


def holm(p_values: Sequence[float]) -> list[float]:
    """Return each p-value adjusted for the family it is in; at most 0.05 is significant.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
