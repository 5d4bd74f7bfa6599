"""Folding of text before it is tokenised, written twice: as Python for the corpus, as rules for tokenizer.json."""

import re
import unicodedata

MARKS = (
    "[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
LETTERS = {
    "[\u0649\u06cc\u06d0]": "\u064a",  # alef maksura, Persian yeh
    "[\u0629\u06c1\u06d5]": "\u0647",  # ta marbuta
    "[\u06a9\u06af\u06ad]": "\u0643",
    "\u0671": "\u0627",
    "\u067e": "\u0628",
    "\u0686": "\u062c",
    "\u06a4": "\u0641",
    "\u0698": "\u0632",
}
DIGITS = {f"[{chr(0x660 + d)}{chr(0x6F0 + d)}]": str(d) for d in range(10)}
WORD = r"\p{L}+|\p{N}+"

_marks = re.compile(MARKS)
_letters = {ord(c): to for pattern, to in {**LETTERS, **DIGITS}.items() for c in pattern.strip("[]")}
_words = re.compile(r"[^\W\d_]+|\d+")


def fold(text: str) -> str:
    """NFKD, marks and tatweel off, lower case, one form a letter."""
    return _marks.sub("", unicodedata.normalize("NFKD", text)).lower().translate(_letters)


def words(text: str) -> list[str]:
    """Runs of letters and runs of digits of the folded text."""
    return _words.findall(fold(text))


def is_arabic(word: str) -> bool:
    return "\u0600" <= word[0] <= "\u06ff"
