"""What the tagger's card tells of the second part of its making, and of its third, which goes on from there."""

OURS = "nlp/lexicon/entities"
NAMES = "nlp/training/lexicon/entities.tsv"
BEFORE = "tagger-ar-en, "
ADDED = [
    (f"{OURS}, subjects that are not held out", "Apache-2.0", "nested entities, letters before an entity"),
    (NAMES, "Apache-2.0", "names in the place of others"),
    ("Wojood, sample, train", "MIT", "nested entities"),
]
FIRST = (
    "as `python -m isnad_ner` made it (weights, int8)",
    "all layers and heads; the upper two of nested.onnx before their training",
)
ONWARD = ("as `python -m isnad_nested` made it before (weights, int8)", "nested.onnx before its last training")
DESCRIPTION = (
    "Named entities (PER, LOC, ORG, MISC; six types for social media) in Arabic and English, and nested entities of 21 types in Arabic: five "
    "layers of an encoder over shared pieces, the lower three of them shared by both, read in windows of neighbouring sentences, a linear chain "
    "over the scores of each word; int8 with fixed activation ranges."
)
MEASURED = "; nested entities: python -m isnad_nested; bun run eval --task ner-nested"


def card_of(given: dict, name: str, revision: str, files: dict, told: dict) -> dict:
    """The card of the tagger that training started from, carried on. `told`: trained_by, start (checksum of the graph that was gone on from),
    went_on (whether that had nested entities), metrics."""
    origin, used_for = ONWARD if told["went_on"] else FIRST
    start = {"name": f"{BEFORE}{origin}, SHA-256 {told['start']}", "licence": "Apache-2.0", "used_for": used_for}
    added = [{"name": n, "licence": lic, "used_for": use} for n, lic, use in ADDED]
    again = {part["name"] for part in added} | {start["name"]}
    sets = {metric["set"] for metric in told["metrics"]}
    before = f"{given['trained_by']}, then " if told["went_on"] else "python -m isnad_ner, then "
    return {
        **given,
        "name": name,
        "revision": revision,
        "description": DESCRIPTION,
        "files": files,
        "training_data": [*(part for part in given["training_data"] if part["name"] not in again), start, *added],
        "trained_by": before + told["trained_by"],
        "measured_by": given["measured_by"].removesuffix(MEASURED) + MEASURED,
        "metrics": [*(metric for metric in given["metrics"] if metric["set"] not in sets), *told["metrics"]],
    }
