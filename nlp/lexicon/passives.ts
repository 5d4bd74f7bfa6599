import { readTable } from "./table.ts";

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
