"""The compiler: rules, which are plain Python functions, become machine code.

The way of a rule: `source` finds its syntax tree and what its names mean; `statements` and
`expressions` translate it, with `arithmetic` for numbers and `memory` for places, into the text
that `code` collects; `program` puts the rules together that an entry reaches; `machine_code` lets
LLVM make machine code of them; `cache` keeps that; `library` runs it, or the Python it was made
from.
"""
