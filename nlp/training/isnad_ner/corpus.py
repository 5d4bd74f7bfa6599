"""Unlabelled news as folded words, one sentence a line."""

import sys

import regex

from isnad_embed.corpus import OUT, articles

from .tokens import fold, tokens

END = regex.compile(r"(?<=[.!?\u061f\u06d4\u2026])\s+|\n+")


def sentences(text: str) -> list[str]:
    return [part for part in END.split(text) if part.strip()]


def write(path=OUT / "ner-news.txt", raw=OUT / "ner-news-raw.txt") -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    memo: dict[str, str] = {}
    with path.open("w", encoding="utf8") as folded, raw.open("w", encoding="utf8") as plain:
        for article in articles():
            for line in [article.title, *sentences(article.text[:6000])]:
                words = tokens(line)[:120]
                if len(words) < 4:
                    continue
                for word in words:
                    if word not in memo:
                        memo[word] = fold(word).replace(" ", "") or "_"
                folded.write(article.lang + "\t" + " ".join(memo[w] for w in words) + "\n")
                plain.write(article.lang + "\t" + " ".join(words) + "\n")


if __name__ == "__main__":
    write()
    sys.exit(0)
