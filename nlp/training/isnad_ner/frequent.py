"""The Arabic words of the news, folded, the most frequent first: by them proclitics are told from letters of a name."""

from collections import Counter

import regex

from isnad_embed.corpus import articles

from .tokens import fold, tokens

WORD = regex.compile(r"(?:(?=\p{Script=Arabic})\p{L})+")
EVERY = 3


def words(count: int) -> list[str]:
    """Out of every third article; held-out ones are not read."""
    counts: Counter[str] = Counter()
    chosen = [a for a in articles() if a.lang == "ar" and not a.held_out][::EVERY]
    for article in chosen:
        counts.update(tokens(article.title + "\n" + article.text[:6000]))
    folded: Counter[str] = Counter()
    for word, found in counts.items():
        folded[fold(word)] += found
    return [word for word, _ in folded.most_common() if WORD.fullmatch(word)][:count]
