"""The lab on a server: guests let bots play a variant, and watch its figures settle."""
