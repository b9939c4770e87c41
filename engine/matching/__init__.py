"""Where a text edit belongs in a file: apply what agents really send, and never write at the wrong place."""

from engine.matching.answer import Answer, Candidate, Located, Place, Refused
from engine.matching.chosen import place_at
from engine.matching.siblings import locate_all
from engine.matching.strategies import STRATEGIES

__all__ = ["STRATEGIES", "Answer", "Candidate", "Located", "Place", "Refused", "locate_all", "place_at"]
