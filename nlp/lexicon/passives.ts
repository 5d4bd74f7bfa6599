import { readTable } from "./table.ts";

/** A rule that makes the passive stem of a verb: which stems it is for, and what replaces what. */
type Rule = {
  pattern: string;
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
  const rule = rulesOf(file, read).find(
    (each) =>
      each.pattern === row.PATTERN_ABSTRACT &&
      each.asks === asks &&
      each.brings.join(" ") === own &&
      each.match.test(row.FORM ?? ""),
  );
  if (rule === undefined) return [];
  return [
    {
      FORM: (row.FORM ?? "").replace(rule.match, rule.replacement),
      "COND-T": rule.passive.asks,
      "COND-S": [rule.passive.brings, ...rest].join(" "),
      FEAT: (row.FEAT ?? "").replace("vox:a", "vox:p"),
    },
  ];
}

function rulesOf(file: string, read: (file: string) => string): Rule[] {
  const known = rules.get(file);
  if (known !== undefined) return known;
  const list = readTable(read(file), ",").map(
    (row): Rule => ({
      pattern: row.PATTERN ?? "",
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
