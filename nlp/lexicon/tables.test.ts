import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SenseEntry } from "@isnad/lib/contract";
import { normalForm } from "@isnad/lib/text";
import { DIALECTS } from "../../lib/arabic/dialect/identify.ts";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { readTable as readAnalyserTable } from "../../lib/arabic/morphology/lexicon.ts";
import { openAnalyser } from "../../lib/arabic/morphology/model.ts";
import { bareForm, lettersOf, vowelled } from "../../lib/arabic/morphology/written-forms.ts";
import { readTable } from "./passives.ts";

const here = import.meta.dirname;
const read = (name: string): string => readFileSync(join(here, name), "utf8");

/** The lines of a table that say something. */
const linesOf = (name: string): string[] =>
  read(name)
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("#"));

/** The rows of a table without a header. */
const rowsOf = (name: string): string[][] => linesOf(name).map((line) => line.split("\t"));

const senses = readEntries(join(here, "senses"), SenseEntry);
const senseIds = new Set(senses.map(({ id }) => id));
const { lexicon, candidates } = openAnalyser();

/** Returns what stands more than once in a list. */
const doubled = (items: readonly string[]): string[] => items.filter((item, place) => items.indexOf(item) !== place);

test("a thing has a kind and names, the first in Arabic where one is, each once", () => {
  const rows = rowsOf("aliases.tsv");
  const bad = rows.filter(([kind = "", names = "", ...more]) => {
    const all = names.split("|");
    const isArabic = (name: string): boolean => /\p{Script=Arabic}/u.test(name);
    return (
      !/^[a-z]+$/.test(kind) ||
      more.length > 0 ||
      doubled(all).length > 0 ||
      all.some((name) => name !== name.trim() || name === "") ||
      (all.some(isArabic) && !isArabic(all[0] ?? ""))
    );
  });
  expect(bad).toEqual([]);
  expect(new Set(rows.map(([kind]) => kind)).size).toBeGreaterThan(3);
});

test("no two countries share a name", () => {
  const names = rowsOf("aliases.tsv").flatMap(([kind, all = ""]) => (kind === "country" ? all.split("|") : []));
  expect(doubled(names)).toEqual([]);
  expect(names.length).toBeGreaterThan(400);
});

test("words of entities are lists of words, none twice in a list", () => {
  const lists = Map.groupBy(rowsOf("entity-words.tsv"), ([list = ""]) => list);
  for (const [list, rows] of lists) {
    const words = rows.flatMap(([, all = ""]) => all.split("|"));
    expect([list, words.filter((word) => word === "" || word !== word.trim())]).toEqual([list, []]);
    expect([list, doubled(words)]).toEqual([list, []]);
  }
});

test("a function word of dialect has spellings, lemmas, a part of speech and a gloss", () => {
  const rows = rowsOf("dialect-words.tsv");
  const bad = rows.filter(
    ([spellings = "", msa = "", own = "", pos = "", gloss = "", ...more]) =>
      more.length > 0 ||
      doubled(spellings.split(" ")).length > 0 ||
      [spellings, msa, own].some((text) => !/^[\p{Script=Arabic}\p{M}\u0640_ ]+$/u.test(text)) ||
      !/^[A-Z]{3,5}$/.test(pos) ||
      !/^[a-z'(][\w ,:;'’()!?./-]*$/i.test(gloss),
  );
  expect(bad).toEqual([]);
});

test("lists of senses name senses that there are, each once", () => {
  const lists = {
    "rare-senses.txt": linesOf("rare-senses.txt"),
    "sense-shares.tsv": rowsOf("sense-shares.tsv").map(([id = ""]) => id),
    "sense-frames.tsv": rowsOf("sense-frames.tsv").map(([id = ""]) => id),
  };
  for (const [name, ids] of Object.entries(lists)) {
    expect([name, ids.filter((id) => !senseIds.has(id))]).toEqual([name, []]);
    if (name !== "sense-frames.tsv") expect([name, doubled(ids)]).toEqual([name, []]);
  }
});

test("a word keeps a sense that is not rare", () => {
  const rare = new Set(linesOf("rare-senses.txt"));
  const byLemma = Map.groupBy(senses, ({ lemma }) => bareForm(lemma));
  const allRare = [...byLemma].filter(([, own]) => own.every(({ id }) => rare.has(id))).map(([lemma]) => lemma);
  expect(allRare).toEqual([]);
});

test("shares are percents of the uses of a word", () => {
  const shares = rowsOf("sense-shares.tsv");
  expect(shares.filter(([, share = ""]) => !/^(?:\d|[1-9]\d|100)$/.test(share))).toEqual([]);
});

test("a form that allows some senses is written without vowels, and has senses of one word", () => {
  const lemmaOf = new Map(senses.map(({ id, lemma }) => [id, bareForm(lemma)]));
  for (const [form = "", ...ids] of rowsOf("sense-forms.tsv")) {
    const all = ids.flatMap((each) => each.split(/[ ,;]/)).filter((id) => id !== "");
    expect([form, all.filter((id) => !senseIds.has(id))]).toEqual([form, []]);
    expect([form, /\p{M}/u.test(form)]).toEqual([form, false]);
    expect(new Set(all.map((id) => lemmaOf.get(id))).size).toBe(1);
  }
});

test("what stands behind a word in a sense is a particle or one of a few kinds", () => {
  for (const [id, behind = ""] of rowsOf("sense-frames.tsv")) {
    expect([id, behind.split(/[ ,|]/).filter((each) => !/^(?:[\u0621-\u064a]{1,4}|[a-z]+)$/u.test(each))]).toEqual([
      id,
      [],
    ]);
  }
});

test("roots are corrected of words that the analyser has, to what it has then", () => {
  const rows = readTable(read("root-corrections.tsv"), "\t");
  const byForm = new Map<string, string[]>();
  for (let id = 0; id < lexicon.size; id++) {
    const { form, pos, root } = lexicon.lemma(id);
    byForm.set(`${form} ${pos}`, [...(byForm.get(`${form} ${pos}`) ?? []), root]);
  }
  const bad = rows.filter(({ LEMMA = "", POS = "", ROOT = "" }) => {
    const root = ROOT.split(".")
      .map(lettersOf)
      .join("")
      .replace(/[أإآؤئ]/g, "ء");
    return byForm.get(`${LEMMA} ${POS}`)?.includes(root) !== true;
  });
  expect(bad).toEqual([]);
  expect(doubled(rows.map(({ LEMMA, POS }) => `${LEMMA} ${POS}`))).toEqual([]);
});

test("every word of our own list is read as it says: its letters, lemma and part of speech", () => {
  const rows = readTable(read("missing-stems.tsv"), "\t");
  const bad = rows.filter(({ LEMMA = "", FORM = "", FEAT = "", "COND-T": kinds = "", "COND-S": more = "" }) => {
    // What only has endings of its own is no word by itself.
    if (!/\bM[SP]\b/.test(kinds) || more.trim() !== "" || FORM.endsWith("-")) return false;
    const pos = /pos:(\S+)/.exec(FEAT)?.[1];
    const own = candidates(lettersOf(FORM));
    return !own.some((each) => each.pos === pos && vowelled(each.analysis?.lemma.form ?? "") === vowelled(LEMMA));
  });
  expect(bad.map(({ LEMMA }) => LEMMA)).toEqual([]);
});

test("sentences and words of regions are of a dialect, and nothing that measures is trained on", () => {
  for (const name of ["train", "held-out", "words", "frames"]) {
    const bad = rowsOf(`regions/${name}.tsv`).filter(
      ([dialect = "", text = ""]) => !DIALECTS.some((each) => each === dialect) || text.trim() !== text || text === "",
    );
    expect([name, bad]).toEqual([name, []]);
  }
  const train = new Set(rowsOf("regions/train.tsv").map(([, text = ""]) => normalForm(text)));
  expect(rowsOf("regions/held-out.tsv").filter(([, text = ""]) => train.has(normalForm(text)))).toEqual([]);
});

test("of each dialect sixty sentences measure, and stems have the forms that frames ask for", () => {
  const counts = Map.groupBy(rowsOf("regions/held-out.tsv"), ([dialect = ""]) => dialect);
  expect([...counts.values()].map((rows) => rows.length)).toEqual(DIALECTS.map(() => 60));
  for (const [pos = "", first = "", second = ""] of rowsOf("regions/stems.tsv")) {
    expect(["verb", "noun"]).toContain(pos);
    expect([first, second].every((form) => /^[\p{Script=Arabic}\p{M}]+$/u.test(form))).toBe(true);
  }
});

test("words that somebody says have a form, a lemma, a part of speech, and clitics around themselves", () => {
  for (const part of ["training", "held-out"]) {
    const bad = linesOf(`speech/${part}.txt`)
      .flatMap((line) => line.split(" "))
      .filter((word) => {
        const [form = "", lemma = "", pos = "", forms = "-", clitics = "_", ...more] = word.split("/");
        return (
          more.length > 0 ||
          !/^[\p{L}\p{M}]+$/u.test(form) ||
          lemma === "" ||
          !/^[A-Z]+(?:\|[A-Z]+)*$/.test(pos) ||
          !/^(?:[mf-][sdp]|-)(?:\|(?:[mf-][sdp]|-))*$/.test(forms) ||
          clitics.split("|").some((each) => each.split("+").filter((part) => part === "_").length !== 1)
        );
      });
    expect([part, bad]).toEqual([part, []]);
  }
});

test("translations have a stem, a count and shares, the likeliest first of those that are no names", () => {
  const rows = rowsOf("translations.tsv");
  const bad = rows.filter(
    ([stem = "", count = "", shares = "", ...more]) =>
      more.length > 0 || stem === "" || !/^\d+$/.test(count) || !/^(?:\S+:\d{1,3}(?: |$))+$/.test(shares),
  );
  expect(bad.slice(0, 5)).toEqual([]);
  expect(doubledIn(rows.map(([stem = ""]) => stem))).toBe(0);
  const over = rows.filter(([, , shares = ""]) =>
    shares.split(" ").some((each) => Number(each.split(":").at(-1)) > 100 || Number(each.split(":").at(-1)) < 1),
  );
  expect(over).toEqual([]);
});

/** Counts how many of a long list stand in it more than once. */
const doubledIn = (items: readonly string[]): number => items.length - new Set(items).size;

test("expressions are stems on either side, sorted, each once", () => {
  const lines = linesOf("expressions.tsv");
  expect(lines.filter((line) => !/^[^\t]+\t[^\t]+$/.test(line))).toEqual([]);
  expect([...lines].sort()).toEqual(lines);
  expect(doubledIn(lines)).toBe(0);
});

test("stems of stories are frequent first, each at one level", () => {
  const rows = rowsOf("stories/frequent-stems.tsv");
  const levels = rows.map(([level]) => Number(level));
  expect([...levels].sort((a, b) => a - b)).toEqual(levels);
  for (const [level = "", stems = ""] of rows) expect([level, doubledIn(stems.split(" "))]).toEqual([level, 0]);
});

test("the analyser's stems are of lemmas and signatures that there are", () => {
  const signatures = JSON.parse(readAnalyserTable("rules.json")).signatures.length;
  const bad = readAnalyserTable("stems.tsv")
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const [key = "", list = ""] = line.split("\t");
      return list.split(";").some((entry) => {
        const [form = "", signature = "", lemma = ""] = entry.split(",");
        return (
          normalForm(lettersOf(form)) !== key ||
          !(Number.parseInt(signature, 36) < signatures) ||
          !(Number.parseInt(lemma, 36) < lexicon.size)
        );
      });
    });
  expect(bad.slice(0, 5)).toEqual([]);
});

test("every file of a part is named among the subjects, and every subject has a file", () => {
  const subjects: Record<string, Record<string, { held_out: boolean }>> = JSON.parse(read("subjects.json"));
  for (const kind of ["senses", "entities", "relations", "dialect"]) {
    const files = readdirSync(join(here, kind))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.replace(".jsonl", ""));
    expect([kind, Object.keys(subjects[kind] ?? {}).sort()]).toEqual([kind, files.sort()]);
    const parts = Object.values(subjects[kind] ?? {});
    const share = parts.filter(({ held_out }) => held_out).length / parts.length;
    expect([kind, share > 0.1 && share < 0.4]).toEqual([kind, true]);
  }
});
