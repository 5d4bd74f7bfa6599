"""The translation table of training, written out for `nlp/lexicon/build-translations.ts`: one line a word with its count
in the news and its translations with their probabilities (`python -m isnad_embed.dictionary FILE`)."""

import sys
from collections import Counter
from pathlib import Path

from . import corpus, lexicon, translation
from .encode import count_types
from .fold import words
from .morphology import Analyser
from .prepare import PARALLEL, named_words


def main(path: Path) -> None:
    train = [a for a in corpus.articles() if not a.held_out]
    parallel = [p for name in PARALLEL for p in corpus.pairs(name)]
    types = count_types(train, [s for p in parallel for s in p])
    analyser = Analyser(lexicon.morphological() + lexicon.wordlists())
    bitext = [(words(e), words(a)) for e, a in parallel]
    bitext += [(words(e), words(a)) for a, e in lexicon.phrases() + lexicon.names() for _ in range(2)]
    prior = translation.lexical(types, analyser, least=3)
    translation.add_names(prior, named_words(train, types, analyser))
    seen = Counter(w for _, a in bitext for w in a)
    table = translation.merge(prior, translation.model_one(bitext, prior), seen)
    with path.open("w", encoding="utf8") as file:
        for word, options in sorted(table.items()):
            row = [f"{' '.join(gloss)}={p:.4f}" for gloss, p in sorted(options.items(), key=lambda x: -x[1])]
            file.write("\t".join([word, str(types[word]), *row]) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
