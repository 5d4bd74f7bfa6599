"""Word and n-gram vectors of the news: skip-gram with subwords (Bojanowski et al., 2017), to start the tagger from."""

import numpy as np
from gensim.models import FastText

from isnad_embed.corpus import OUT


class Lines:
    """The folded sentences, without the language before them."""

    def __iter__(self):
        with (OUT / "ner-news.txt").open(encoding="utf8") as lines:
            for line in lines:
                yield line.rstrip("\n").split("\t", 1)[1].split(" ")


def train(dims: int, buckets: int, epochs: int, seed: int, workers: int = 1) -> None:
    model = FastText(
        vector_size=dims, window=4, min_count=4, sg=1, negative=5, sample=3e-4, min_n=3, max_n=5, bucket=buckets,
        max_final_vocab=60000, epochs=epochs, workers=workers, seed=seed,
    )
    model.build_vocab(Lines())
    model.train(Lines(), total_examples=model.corpus_count, epochs=epochs)
    words = np.array(model.wv.index_to_key, dtype=object)
    counts = np.array([model.wv.get_vecattr(w, "count") for w in words])
    np.savez(OUT / "ner-words.npz", words=words, counts=counts, rows=model.wv.vectors_vocab, grams=model.wv.vectors_ngrams)


if __name__ == "__main__":
    train(96, 24000, 2, 7)
