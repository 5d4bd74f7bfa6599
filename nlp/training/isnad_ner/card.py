"""What the tagger's card tells of its making."""

DATA_SETS = [
    ("multilingual-e5-small (weights)", "MIT", "first five layers, before fine-tuning"),
    ("ANERcorp train, first four fifths of the sentences", "CC BY-SA 4.0", "head ar"),
    ("Wikigold, first four fifths of the sentences", "CC BY 4.0", "head en"),
    ("WNUT-17 train", "CC BY 4.0", "head social"),
    ("NewsFANE", "CC BY-SA 3.0", "encoder, by a head that does not ship"),
    ("WikiFANE", "CC BY-SA 3.0", "encoder, by a head that does not ship"),
    ("Wojood, sample", "MIT", "encoder, by a head that does not ship"),
    ("Broad Twitter Corpus", "CC BY 4.0", "encoder, by a head that does not ship"),
    ("WikiANN English (silver)", "ODC-BY", "encoder, by a head that does not ship"),
    ("re3d", "open, per source", "encoder, by a head that does not ship"),
    (
        "ANT corpus v1 and v2 (Arabic news of 2017 and 2018)",
        "Apache-2.0; text of the publishers",
        "frequent words, for proclitics",
    ),
]
TOLD = {"anercorp": "ANERcorp train, last fifth", "wikigold": "Wikigold, last fifth", "wnut": "WNUT-17 dev"}
DESCRIPTION = (
    "Named entities (PER, LOC, ORG, MISC; six types for social media) in Arabic and English: five layers of an encoder over shared pieces, read "
    "in windows of neighbouring sentences, a linear chain over its scores of each word; int8 with fixed activation ranges."
)
