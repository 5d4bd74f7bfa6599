"""What the tagger's card tells of the second part of its making."""

ADDED = [
    (
        "tagger-ar-en, as `python -m isnad_ner` made it (weights, int8)",
        "Apache-2.0",
        "all layers and heads; the upper two of nested.onnx before their training",
    ),
    ("nlp/lexicon/entities, subjects that are not held out", "Apache-2.0", "nested entities, letters before an entity"),
    ("Wojood, sample, train", "MIT", "nested entities"),
]
DESCRIPTION = (
    "Named entities (PER, LOC, ORG, MISC; six types for social media) in Arabic and English, and nested entities of 21 types in Arabic: five "
    "layers of an encoder over shared pieces, the lower three of them shared by both, read in windows of neighbouring sentences, a linear chain "
    "over the scores of each word; int8 with fixed activation ranges."
)


def card_of(given: dict, name: str, revision: str, files: dict, told: dict) -> dict:
    """The card of the tagger that training started from, carried on. `told`: trained_by, start (checksum of model.onnx), metrics."""
    added = [{"name": n, "licence": lic, "used_for": use} for n, lic, use in ADDED]
    added[0]["name"] += f", SHA-256 {told['start']}"
    kept = [
        part for part in given["training_data"] if not part["name"].startswith(("tagger-ar-en", "nlp/lexicon/entities"))
    ]
    return {
        **given,
        "name": name,
        "revision": revision,
        "description": DESCRIPTION,
        "files": files,
        "training_data": [*kept, *added],
        "trained_by": told["trained_by"],
        "measured_by": f"{given['measured_by']}; nested entities: python -m isnad_nested; bun run eval --task ner-nested",
        "metrics": [*given["metrics"], *told["metrics"]],
    }
