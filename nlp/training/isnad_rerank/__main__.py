"""Exports the reranker: `python -m isnad_rerank`. Nothing is trained: the graph is multilingual-e5-small as it was published."""

import argparse

from isnad_embed.corpus import ROOT

from .export import export

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m isnad_rerank", description=__doc__)
    parser.add_argument("--name", default="rerank-ar-en", help="folder under nlp/models")
    name = parser.parse_args().name
    export(ROOT / "nlp" / "models" / name, "python -m isnad_rerank")
