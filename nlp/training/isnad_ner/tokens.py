"""Words of a text as the tagger sees them, and their folded form. `lib/models/tasks/entities` holds the same rules."""

import regex

from isnad_embed.fold import fold as fold_letters

INVISIBLE = "\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff"
ARABIC = rf"(?:(?=\p{{Script=Arabic}})\p{{L}})(?:(?:(?=\p{{Script=Arabic}})\p{{L}})|[\p{{M}}\u0640{INVISIBLE}])*"
LETTERS = rf"(?:(?!\p{{Script=Arabic}})[\p{{L}}\p{{N}}])(?:(?!\p{{Script=Arabic}})[\p{{L}}\p{{N}}\p{{M}}_{INVISIBLE}])*"
TOKEN = regex.compile(
    rf"https?://\S+|www\.\S+|[\p{{L}}\p{{N}}_.+-]+@[\p{{L}}\p{{N}}-]+(?:\.[\p{{L}}\p{{N}}-]+)+"
    rf"|[@#][\p{{L}}\p{{N}}_\p{{M}}]+"
    rf"|\p{{Nd}}+(?:[.,:/\u066b\u066c]\p{{Nd}}+)+"
    rf"|[\u0660-\u0669\u06f0-\u06f9]+"
    rf"|(?:[A-Za-z]\.){{2,}}"
    rf"|{ARABIC}"
    rf"|{LETTERS}(?:[-&.]{LETTERS}|['\u2019](?=\p{{L}}){LETTERS})*"
    rf"|\.{{2,}}|-{{2,}}"
    rf"|[^\s{INVISIBLE}]",
    regex.V0,
)
TRAILING = regex.compile(rf"[{INVISIBLE}]+$")
CLITIC = regex.compile(r"(?i)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$")
DIGITS = regex.compile(r"\d")


def tokens(text: str) -> list[str]:
    """The words and marks of a text; English clitics ('s, n't) stand alone."""
    out = []
    for match in TOKEN.finditer(text):
        token = TRAILING.sub("", match.group())
        clitic = CLITIC.search(token) if len(token) > 2 else None
        if clitic and clitic.start() > 0 and token[0] not in "@#":
            out += [token[: clitic.start()], token[clitic.start() :]]
        else:
            out.append(token)
    return out


def fold(token: str) -> str:
    """One form a letter, lower case, every digit 0; a link is one word; what folds to nothing stays as it is."""
    if token.startswith(("http://", "https://", "www.")):
        return "<link>"
    if len(token) > 1 and token[0] == "@":
        return "<handle>"
    if len(token) > 1 and token[0] == "#":
        token = token[1:]
    return DIGITS.sub("0", fold_letters(token)) or token
