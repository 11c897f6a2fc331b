"""The lab: simulations, arenas and benchmarks, with confidence intervals."""
