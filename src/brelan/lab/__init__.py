"""The lab: matches by the hundred thousand, and figures that can be trusted."""
