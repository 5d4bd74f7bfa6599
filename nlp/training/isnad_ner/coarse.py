"""The four types that all sets share."""

from .data import Sentence

TO_COARSE = {
    "GPE": "LOC", "FAC": "LOC", "location": "LOC", "person": "PER", "corporation": "ORG", "group": "ORG",
    "product": "MISC", "creative-work": "MISC", "NORP": "MISC", "PRODUCT": "MISC", "EVENT": "MISC", "LAW": "MISC",
    "LANGUAGE": "MISC", "PER": "PER", "LOC": "LOC", "ORG": "ORG", "MISC": "MISC",
}


def coarse(sentence: Sentence) -> Sentence:
    """The sentence with PER, LOC, ORG and MISC; other types become O."""
    kinds = ((token, tag, TO_COARSE.get(tag[2:])) for token, tag in sentence)
    return [(token, f"{tag[0]}-{kind}" if kind else "O") for token, tag, kind in kinds]
