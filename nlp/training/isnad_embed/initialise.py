"""Start vectors: shifted PPMI of co-occurrence in a window, over text in which words are replaced at random by their
translation (so that both languages share contexts), reduced by a truncated SVD (Levy and Goldberg 2014), rows scaled by
smooth inverse frequency (Arora et al. 2017)."""

import numpy as np
from scipy import sparse

from .batches import Source


def stream(source: Source, switch: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """All sentences as pieces with the number of the sentence, words replaced with probability `switch`."""
    docs = source.documents.sentences
    types = docs.flat.copy()
    owner = np.repeat(np.arange(len(docs)), np.diff(docs.start)) // 3
    chosen = np.flatnonzero(rng.random(len(types)) < switch)
    types[chosen] = source.options.sample(types[chosen], rng)
    pieces, lengths = source.pieces.gather(types)
    return pieces, np.repeat(owner, lengths)


def cooccurrence(source: Source, size: int, window: int, passes: tuple[float, ...], rng) -> sparse.csr_matrix:
    total = sparse.csr_matrix((size, size), dtype=np.float32)
    for switch in passes:
        pieces, owner = stream(source, switch, rng)
        share = np.bincount(pieces, minlength=size) / len(pieces)
        keep = rng.random(len(pieces)) < np.sqrt(1e-4 / np.maximum(share[pieces], 1e-9))
        pieces, owner = pieces[keep].astype(np.int64), owner[keep]
        for gap in range(1, window + 1):
            same = owner[gap:] == owner[:-gap]
            key = pieces[gap:][same] * size + pieces[:-gap][same]
            found, count = np.unique(key, return_counts=True)
            weight = (count / gap**0.5).astype(np.float32)
            total = total + sparse.csr_matrix((weight, (found // size, found % size)), shape=(size, size))
    return (total + total.T).tocsr()


def ppmi(counts: sparse.csr_matrix, shift: float = 0.0, smooth: float = 0.75) -> sparse.csr_matrix:
    row = np.asarray(counts.sum(1)).ravel()
    column = np.asarray(counts.sum(0)).ravel() ** smooth
    column /= column.sum()
    entries = counts.tocoo()
    value = np.log(entries.data / (row[entries.row] * column[entries.col])) - shift
    kept = value > 0
    return sparse.csr_matrix(
        (value[kept].astype(np.float32), (entries.row[kept], entries.col[kept])), shape=counts.shape
    )


def reduced(matrix: sparse.csr_matrix, dims: int, rng, power: float = 0.5, rounds: int = 3) -> np.ndarray:
    """Randomised truncated SVD (Halko et al. 2011), rows U * S**power."""
    basis = matrix @ rng.standard_normal((matrix.shape[1], dims + 40)).astype(np.float32)
    for _ in range(rounds):
        basis = np.linalg.qr(basis)[0]
        basis = matrix @ (matrix.T @ basis)
    basis = np.linalg.qr(basis)[0]
    left, singular, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    return ((basis @ left)[:, :dims] * singular[:dims] ** power).astype(np.float32)


def start_vectors(source: Source, size: int, dims: int, rng: np.random.Generator) -> np.ndarray:
    counts = cooccurrence(source, size, 5, (0.0, 0.35, 0.7), rng)
    vectors = reduced(ppmi(counts), dims, rng)
    norm = np.linalg.norm(vectors, axis=1, keepdims=True)
    missing = norm[:, 0] < 1e-6
    vectors[missing] = rng.standard_normal((missing.sum(), dims)) * 0.01
    vectors /= np.maximum(norm, 1e-6)
    pieces, _ = source.pieces.gather(source.documents.sentences.flat)
    share = np.bincount(pieces, minlength=size) / len(pieces)
    return (vectors * (1e-3 / (1e-3 + share))[:, None]).astype(np.float32)
