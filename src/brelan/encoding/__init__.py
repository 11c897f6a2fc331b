"""Encoding: views as flat tensors and information states, and the moves as a dense action space.

All of it is derived from the places of a game and its table of moves; a game adds nothing.
"""

from brelan.encoding.actions import Actions
from brelan.encoding.encoder import Encoder
from brelan.encoding.information import InformationState, InformationStates
from brelan.encoding.slices import Slice

__all__ = ["Actions", "Encoder", "InformationState", "InformationStates", "Slice"]
