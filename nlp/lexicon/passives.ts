/** The rows of a table with a header line, by column name. A field may be quoted when the separator is a comma. */
export function readTable(text: string, separator: "," | "\t"): Record<string, string>[] {
  const [header = [], ...rows] = splitRows(text, separator);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])));
}

function splitRows(text: string, separator: string): string[][] {
  const pattern = separator === "," ? /"((?:[^"]|"")*)"|[^,\n]*/gy : /[^\t\n]*/gy;
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    row.push((match?.[1]?.replaceAll('""', '"') ?? match?.[0] ?? "").replace(/\r$/, ""));
    at = pattern.lastIndex;
    if (text[at] !== separator) {
      rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}

/** A rule that makes the passive stem of a verb: which stems it is for, and what replaces what. */
type Rule = {
  /** Holds what the lemma looks like: letters, and any consonant for each radical that is none. */
  lemma: RegExp;
  /** Letters that the pattern names: of several rules that fit the one that names the most holds. */
  named: number;
  asks: string;
  brings: string[];
  match: RegExp;
  replacement: string;
  passive: { asks: string; brings: string };
};

const FILES: Record<string, string> = {
  "[STEM-PV]": "MSA-Verb-PV-Passive-Patterns.csv",
  "[STEM-IV]": "MSA-Verb-IV-Passive-Patterns.csv",
};

const rules = new Map<string, Rule[]>();

/** The passive stems of a row of the lexicon of verbs, as the fields in which they differ from the active; or none. */
export function passiveStems(
  row: Record<string, string>,
  read: (file: string) => string,
): { FORM: string; "COND-T": string; "COND-S": string; FEAT: string }[] {
  const file = FILES[row.CLASS ?? ""];
  if (file === undefined) return [];
  const asks = (row["COND-T"] ?? "").trim();
  const brings = (row["COND-S"] ?? "").split(/\s+/).filter((each) => each !== "");
  const rest = brings.filter((each) => /^(?:|in|di)trans$/.test(each));
  const own = brings
    .filter((each) => !rest.includes(each))
    .sort()
    .join(" ");
  const lemma = (row.LEMMA ?? "").replace(/[-_].*$/, "");
  const fitting = rulesOf(file, read).filter(
    (each) =>
      each.lemma.test(lemma) && each.asks === asks && each.brings.join(" ") === own && each.match.test(row.FORM ?? ""),
  );
  const [rule] = fitting.sort((a, b) => b.named - a.named);
  // Verbs without an object have no passive that is in use.
  if (rule === undefined || rest.every((each) => each === "intrans")) return [];
  return [
    {
      FORM: (row.FORM ?? "").replace(rule.match, rule.replacement),
      "COND-T": rule.passive.asks,
      "COND-S": [rule.passive.brings, ...rest].join(" "),
      FEAT: (row.FEAT ?? "").replace("vox:a", "vox:p"),
    },
  ];
}

/** The lemmas of a pattern: `1aAo3` stands for every hollow verb, `1awaY` for those with w in the middle. */
function lemmaOf(pattern: string): Pick<Rule, "lemma" | "named"> {
  const letters = pattern.replace("aAo", "aA");
  return {
    lemma: new RegExp(`^${letters.replace(/[|{}*$]/g, "\\$&").replace(/[1-4]/g, ".")}$`),
    named: letters.replace(/[1-4]/g, "").length,
  };
}

function rulesOf(file: string, read: (file: string) => string): Rule[] {
  const cached = rules.get(file);
  if (cached !== undefined) return cached;
  const list = readTable(read(file), ",").map(
    (row): Rule => ({
      ...lemmaOf(row.PATTERN ?? ""),
      asks: (row["COND-T"] ?? "").trim(),
      brings: (row["COND-S"] ?? "")
        .split(/\s+/)
        .filter((each) => each !== "")
        .sort(),
      match: new RegExp(`^${(row.MATCH ?? "").replace(/[|{}*$]/g, "\\$&")}$`),
      replacement: (row.SUB ?? "").replace(/\$(?![0-9])/g, "$$$$"),
      passive: { asks: row["COND-T-PASS"] ?? "", brings: row["COND-S-PASS"] ?? "" },
    }),
  );
  rules.set(file, list);
  return list;
}

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
