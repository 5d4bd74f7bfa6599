"""Names of the unlabelled news: what a first stack finds in it, as a list of names for the second. A name that is plain in one
sentence is then known in the others (self-training by lists; after Liang, 2005)."""

from itertools import islice

from isnad_embed.corpus import OUT

from .data import Sentence
from .names import NameList, name_list
from .stack import Stack

LONGEST = 80


def news(lang: str, count: int) -> list[list[str]]:
    """Sentences from all over the news of a language, tokens as they were written."""
    with (OUT / "ner-news-raw.txt").open(encoding="utf8") as lines:
        kept = [line.rstrip("\n").split("\t", 1)[1].split(" ")[:LONGEST] for line in lines if line.startswith(f"{lang}\t")]
    return list(islice(kept, 0, None, max(1, len(kept) // count)))[:count]


def harvest(stack: Stack, chain: str, lang: str, count: int) -> NameList:
    """The list of the names that a chain finds in so many sentences."""
    tagged: list[Sentence] = []
    for tokens in news(lang, count):
        tagged.append(list(zip(tokens, stack.chains[chain].tag(stack.features(chain, tokens)))))
    return name_list([tagged], [], least=2)
