"""What the tagger's card tells of the second part of its making, which goes on from the first, or from a tagger that it made before."""

OURS = "nlp/lexicon/entities"
NAMES = "nlp/training/lexicon/entities.tsv"
BEFORE = "tagger-ar-en, "
ADDED = [
    (f"{OURS}, subjects that are not held out", "Apache-2.0", "nested entities, letters before an entity"),
    (NAMES, "Apache-2.0", "names in the place of others"),
    ("Wojood, sample, train", "MIT", "nested entities"),
    (
        "ANT corpus v1 (Arabic news of 2017), without labels",
        "Apache-2.0; text of the publishers",
        "sentences in which a teacher, and the tagger of before, found entities",
    ),
    (
        "NewsFANE and WikiFANE, without labels",
        "CC BY-SA 3.0",
        "sentences in which a teacher, and the tagger of before, found entities",
    ),
    (
        "nlp/lexicon/relations and senses, subjects that are not held out, without labels",
        "Apache-2.0",
        "sentences in which a teacher, and the tagger of before, found entities",
    ),
    (
        "multilingual-e5-small (weights), first nine layers",
        "MIT",
        "the teacher, which learned from our own sentences, Wojood, ANERcorp, NewsFANE and WikiFANE as above",
    ),
]
DESCRIPTION = (
    "Named entities (PER, LOC, ORG, MISC; six types for social media) in Arabic and English, and nested entities of 21 types in Arabic: five "
    "layers of an encoder over shared pieces for either, read in windows of neighbouring sentences, a linear chain over the scores of each word; "
    "int8 with fixed activation ranges."
)
MEASURED = "; nested entities: python -m isnad_nested; bun run eval --task ner-nested"


def card_of(given: dict, name: str, revision: str, files: dict, said: dict) -> dict:
    """The card of the tagger that training started from, carried on. `said`: trained_by, start (checksum of the graph that was gone on from),
    metrics."""
    origin = f"{BEFORE}revision {given['revision']} (weights, int8), SHA-256 of its last graph {said['start']}"
    start = {
        "name": origin,
        "licence": "Apache-2.0",
        "used_for": "model.onnx, and nested.onnx before its last training",
    }
    added = [{"name": n, "licence": lic, "used_for": use} for n, lic, use in ADDED]
    sets = {metric["set"] for metric in said["metrics"]}
    again = {part["name"] for part in added} | {start["name"]}
    return {
        **given,
        "name": name,
        "revision": revision,
        "description": DESCRIPTION,
        "files": files,
        "training_data": [*(part for part in given["training_data"] if part["name"] not in again), start, *added],
        "trained_by": f"{given['trained_by']}, then {said['trained_by']}",
        "measured_by": given["measured_by"].removesuffix(MEASURED) + MEASURED,
        "metrics": [*(metric for metric in given["metrics"] if metric["set"] not in sets), *said["metrics"]],
    }
