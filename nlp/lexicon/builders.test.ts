import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname;
const shared = process.env.ISNAD_SHARED ?? join(here, "../../../shared");
const hasLexicon = existsSync(join(shared, "data/linguistic/camel_morph_msa"));
if (!hasLexicon) process.stderr.write("tables of the lexicon are not built anew: ../shared/data is missing\n");

/** A new folder with these files, by their paths. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "isnad-lexicon-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith(".gz") ? gzipSync(text) : text);
  }
  return folder;
}

function build(script: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(here, script), ...args], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
}

const linesIn = (path: string): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

const json = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

test.skipIf(!hasLexicon)("the analyser's tables that ship are those that its builder makes of the lexicon", () => {
  const out = folderOf({});
  build("build-analyser.ts", out);
  for (const name of ["rules.json", "lemmas.tsv", "stems.tsv"]) {
    const [built, shipped] = [out, join(here, "analyser")].map((folder) => readFileSync(join(folder, name), "utf8"));
    expect([name, built === shipped]).toEqual([name, true]);
  }
});

test.skipIf(!hasLexicon)("the stems that ship are those of the lexicon, and names that news has beside them", () => {
  const out = folderOf({ "news.jsonl.gz": json({ title: "ترامب ".repeat(11), text: "خوارزميكا ".repeat(12) }) });
  build("build-arabic-stems.ts", join(out, "stems.tsv"), join(out, "news.jsonl.gz"));
  const shipped = new Map(linesIn(join(here, "arabic-stems.tsv")).map((line) => [line.split("\t")[0], line]));
  const built = linesIn(join(out, "stems.tsv"));
  expect(built.filter((line) => line.startsWith("خوارزميكا"))).toEqual(["خوارزميكا\t74,7,"]);
  const others = built.filter((line) => !line.startsWith("خوارزميكا"));
  // a name of news has no root, and may be a reading more of a stem, or make one that has none likelier
  const withoutNames = (line = ""): string => line.replace(/(?<=[\t;])\w+,\d+,(?=;|$);?/g, "").replace(/;$/, "");
  expect(others.filter((line) => withoutNames(shipped.get(line.split("\t")[0])) !== withoutNames(line))).toEqual([]);
  expect(others.filter((line) => shipped.get(line.split("\t")[0]) === line).length / others.length).toBeGreaterThan(
    0.98,
  );
});

test.skipIf(!hasLexicon)("the names of countries, months, currencies and units that ship are those of CLDR", () => {
  const file = join(folderOf({}), "expressions.json");
  build("build-expressions.ts", file);
  expect(readFileSync(file, "utf8")).toBe(readFileSync(join(here, "expressions.json"), "utf8"));
});

test("a word is counted as a place where it is a whole one, as another where no entity has it; never in what is held out", () => {
  const sentence = (id: string, text: string, ...places: string[]) => ({
    id,
    text,
    entities: places.map((place) => ({
      start: text.indexOf(place),
      end: text.indexOf(place) + place.length,
      type: "GPE",
    })),
  });
  const sense = (id: string, example: string) => ({
    ...{ id, lemma: "قَلْب", pos: "noun", root: "ق ل ب", gloss: "عضو في الصدر يضخ الدم إلى الجسم", en: ["heart"] },
    examples: [example],
  });
  const folder = folderOf({
    "subjects.json": readFileSync(join(here, "subjects.json"), "utf8"),
    "analyser/places.tsv": "",
    "entities/economy.jsonl": json(
      sentence("economy-0001", "وصل الوفد إلى قطر أمس.", "قطر"),
      sentence("economy-0002", "يقع السوق في مدينة الخبر شرقا.", "مدينة الخبر"),
      {
        ...{ id: "economy-0003", text: "وصل قطر الندى إلى عدن." },
        entities: [
          { type: "PERS", start: 4, end: 13 },
          { type: "LOC", start: 18, end: 21 },
        ],
      },
      sentence("economy-0004", "بلغ قطر الدائرة مترا، وعاد من قطر."),
    ),
    "entities/courts-law.jsonl": json(sentence("courts-law-0001", "وصل القاضي إلى قطر.", "قطر")),
    "senses/a.jsonl": json(sense("nouns-1-0001", "عاد الوفد من عدن أمس."), sense("rare-2-0001", "قطر عدن قطر.")),
    "examples/a.jsonl": json({ sense: "nouns-1-0001", text: "يقيس المهندس قطر الأنبوب." }),
  });
  build("build-places.ts", folder);
  expect(linesIn(join(folder, "analyser/places.tsv"))).toEqual(["عدن\t1\t1", "قطر\t1\t3"]);
});

test("the rarity of a stem is that of the articles of a source that hold it, which are four at the least", () => {
  const article = (i: number, text: string, more: object = {}) => ({
    ...{ id: `x-${i}`, source: "bbc", published: "1 Mar 2018", title: "", text },
    ...more,
  });
  const eight = (text: (i: number) => string, more: object = {}) =>
    Array.from({ length: 8 }, (_, i) => article(i, text(i), more));
  const labelled = linesIn(join(here, "../../eval/stories/labels.en.tsv"))[1]?.split("\t")[2] ?? "";
  const folder = folderOf({
    "ant_v2_ar.jsonl.gz": json(
      ...eight((i) => `زلزال ${i < 4 ? "إعصار" : ""} ${i < 3 ? "بركان" : ""} 2018`),
      ...eight(() => "بركان", { published: "11 Jul 2018" }),
    ),
    "ant_v1_ar.jsonl.gz": json(...eight(() => "زلزال")),
    "english.jsonl.gz": json(
      ...eight((i) => (i % 2 === 0 ? "earthquake storm" : "earthquake the")),
      ...eight(() => "earthquake", { source: "cnn" }),
      ...eight(() => "volcano", { source: "fnc1" }),
      ...eight(() => "volcano", { id: labelled }),
    ),
  });
  build("build-story-stems.ts", folder, join(folder, "stems.tsv"));
  expect(linesIn(join(folder, "stems.tsv"))).toEqual(["0\tearthquak زلزال", "4\tstorm اعصار"]);
});

test("translations are what senses, terms and names say, and what training says that one of these supports", () => {
  const sense = (id: string, lemma: string, en: string[], more: object = {}) => ({
    ...{ id, lemma, pos: "noun", root: "ق ل ب", gloss: "عضو في الصدر يضخ الدم إلى الجسم", en },
    ...{ examples: ["توقف قلب المريض أثناء العملية."], ...more },
  });
  const root = folderOf({
    "lexicon/senses/a.jsonl": json(
      sense("a-0001", "قَلْب", ["heart"]),
      sense("a-0002", "قَلْب", ["centre", "core"]),
      sense("a-0003", "عَلَى قَدَمٍ وَسَاق", ["in full swing"], { pos: "mwe", root: "" }),
    ),
    "lexicon/terms/a.tsv": "بوتين\tPutin\nمجلس الأمن\tSecurity Council\nنقطة\tpercentage point\n",
    "training/lexicon/names.tsv": "ترامب\tTrump\n",
    "table.tsv":
      "قلب\t120\theart=0.7\toverthrow=0.2\tbanana=0.1\nبوتين\t900\tputin=0.9\tpresident=0.1\nترامب\t40\ttrump=1\nوفد\t30\tdelegation=0.8\tdelegate=0.2\n",
  });
  build("build-translations.ts", join(root, "table.tsv"), join(root, "lexicon"));
  const lines = new Map(linesIn(join(root, "lexicon/translations.tsv")).map((line) => [line.split("\t")[0], line]));
  const words = ["قلب", "بوتين", "ترامب", "وفد", "امريك", "مدرس", "نقط", "شقلب", "جنيه"];
  expect(words.map((word) => lines.get(word))).toEqual([
    "قلب\t48\theart:64 overthrow:11 centr:7 core:7",
    "بوتين\t68\tputin:100",
    "ترامب\t37\ttrump:100",
    "وفد\t35\tdeleg:100",
    "امريك\t0\tamerica:100",
    "مدرس\t0\tschool:100",
    "نقط\t0\tpoint:33 locat:33 posit:33",
    "شقلب\t0\tsomersault:50 upset:25 turn:8 upsid:8 down:8",
    "جنيه\t0\tpound:100",
  ]);
  const expressions = linesIn(join(root, "lexicon/expressions.tsv"));
  expect(expressions.filter((line) => /^(?:مجلس|قدم|نقط|بولينيزيا)/.test(line))).toEqual([
    "بولينيزيا فرنسي\tfrench polynesia",
    "قدم ساق\tfull swing",
    "مجلس امن\tsecur council",
    "نقط\tpercentag point",
  ]);
});
