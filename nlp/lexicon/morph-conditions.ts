/**
 * Conditions of morphemes as the CAMeL lexicon writes them: terms separated by spaces, all of which must hold; a term
 * names conditions separated by `||`, one of which must be brought by a morpheme of the word, or `!` and one that must
 * not. `_` asks for nothing.
 */
export function clauses(text: string): string[][] {
  return terms(text).map((term) => term.split("||"));
}

/**
 * The clauses of alternative morphemes. `else` in a term holds where, of the alternatives with the same terms before
 * it, no other one's term in this place holds.
 */
export function resolveElse(alternatives: readonly string[]): string[][][] {
  const all = alternatives.map(terms);
  return all.map((own) =>
    own.flatMap((term, place) => {
      if (term !== "else") return [term.split("||")];
      const before = own.slice(0, place).join(" ");
      const others = new Set(
        all.filter((other) => other.slice(0, place).join(" ") === before).map((other) => other[place] ?? "else"),
      );
      others.delete("else");
      return [...others].flatMap((other) =>
        other.startsWith("!") ? [[other.slice(1)]] : other.split("||").map((name) => [`!${name}`]),
      );
    }),
  );
}

function terms(text: string): string[] {
  return text.split(/\s+/).filter((term) => term !== "" && term !== "_");
}
