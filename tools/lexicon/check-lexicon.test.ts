import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arabicMorphology } from "../../lib/text/morphology.ts";
import { claimFileProblems, claimProblems, claimSummary, fileProblems, lexiconProblems } from "./check-lexicon.ts";

const morphology = arabicMorphology();
const SENSE = {
  id: "verbs-1-0001",
  lemma: "كَتَبَ",
  pos: "verb",
  root: "ك ت ب",
  gloss: "رسم الكلمات بالقلم على الورق",
  en: ["write"],
  examples: ["كتبت الطفلة اسمها على السبورة."],
};
const senseProblems = (...changes: object[]) =>
  fileProblems("senses", "verbs-1", changes.map((c) => `${JSON.stringify({ ...SENSE, ...c })}\n`).join(""), morphology);
const problemsOf = (kind: "entities" | "relations" | "dialect", value: object) =>
  fileProblems(kind, "sport", `${JSON.stringify({ id: "sport-0001", ...value })}\n`, morphology);

test("the lexicon of the repository has no problems", () => {
  expect(lexiconProblems(join(import.meta.dirname, "../../nlp/lexicon"), morphology)).toEqual([]);
});

test("a sense with all it needs has no problems", () => {
  expect(senseProblems({})).toEqual([]);
});

test("ids ascend within a file and begin with its name", () => {
  expect(senseProblems({ id: "verbs-1-0002" }, { id: "verbs-1-0002" })).toEqual(["2: ids must ascend, none twice"]);
  expect(senseProblems({ id: "verbs-2-0001" })).toEqual(["1: the id does not begin with the name of its file"]);
  expect(senseProblems({ id: "1" })[0]).toStartWith("1: id: must be the file's name");
});

test("nothing is empty, the lemma has its vowels, the root its spaces", () => {
  expect(senseProblems({ gloss: "" })).toHaveLength(1);
  expect(senseProblems({ en: [] })).toHaveLength(1);
  expect(senseProblems({ examples: [] })).toHaveLength(1);
  expect(senseProblems({ lemma: "كتب" })).toEqual(["1: lemma: must carry its vowels"]);
  expect(senseProblems({ root: "كتب" })).toHaveLength(1);
  expect(senseProblems({ pos: "word" })).toHaveLength(1);
  expect(senseProblems({ comment: "" })).toHaveLength(1);
});

test("the shadda of a lemma stands before its vowel", () => {
  const word = { root: "ر د د", gloss: "أجاب عن سؤال أو كلام", examples: ["رد الوزير على السؤال."] };
  expect(senseProblems({ ...word, lemma: "ر\u064eد\u0651\u064e" })).toEqual([]);
  expect(senseProblems({ ...word, lemma: "ر\u064eد\u064e\u0651" })).toEqual([
    "1: a vowel of the lemma stands before its shadda",
  ]);
});

test("a gloss has enough words and does not define the word by itself", () => {
  const problem = ["1: the gloss defines the word by itself"];
  expect(senseProblems({ gloss: "كتب كتابة ما يكتب" })).toEqual(problem);
  expect(senseProblems({ gloss: "قام من قبل بالكتابة" })).toEqual(problem);
  expect(senseProblems({ gloss: "رسم الكلمات" })).toEqual(["1: the gloss has 2 words instead of 4 to 15"]);
});

test("the word stands in its example, and the analyser knows it", () => {
  expect(senseProblems({ examples: ["نام الطفل مبكرا."] })).toHaveLength(1);
  expect(senseProblems({ lemma: "قكثضَ", root: "", examples: ["قكثض الطفل."] })).toEqual([
    "1: the analyser does not know قكثض",
  ]);
  expect(
    senseProblems({ lemma: "رَدَّ", root: "ر د د", gloss: "أجاب عن سؤال أو كلام", examples: ["رد الوزير على السؤال."] }),
  ).toEqual([]);
});

test("offsets of entities count code points, nest and never cross", () => {
  const text = "😀 بلدية مدينة غزة";
  const org = { start: 2, end: 17, type: "ORG" };
  const gpe = { start: 14, end: 17, type: "GPE" };
  expect(problemsOf("entities", { text, entities: [org, gpe] })).toEqual([]);
  expect(problemsOf("entities", { text, entities: [org, org] })).toHaveLength(1);
  expect(problemsOf("entities", { text, entities: [{ ...org, end: 18 }] })).toEqual([
    "1: 2-18 is no place in the text",
  ]);
  expect(problemsOf("entities", { text, entities: [{ ...org, start: 1 }] })).toHaveLength(1);
  expect(problemsOf("entities", { text, entities: [{ ...org, type: "TEAM" }] })).toHaveLength(1);
  expect(
    problemsOf("entities", {
      text,
      entities: [
        { ...org, end: 13 },
        { ...gpe, start: 8 },
      ],
    }),
  ).toEqual(["1: 2-13 and 8-17 cross each other"]);
});

test("events have a trigger and arguments within the sentence, or there are none", () => {
  const text = "زار الوزير بيروت";
  const event = {
    trigger: { start: 0, end: 3 },
    type: "visit",
    arguments: [{ role: "agent", start: 4, end: 10 }],
  };
  expect(problemsOf("relations", { text, events: [event] })).toEqual([]);
  expect(problemsOf("relations", { text, events: [] })).toEqual([]);
  expect(problemsOf("relations", { text, events: [{ ...event, trigger: { start: 3, end: 10 } }] })).toHaveLength(1);
  expect(problemsOf("relations", { text, events: [{ ...event, type: "tour" }] })).toHaveLength(1);
});

test("the tokens of a dialect sentence are all the words of its text", () => {
  const token = (word: string) => ({
    token: word,
    coda: word,
    segments: [word],
    msa_lemma: word,
    dialect_lemma: word,
    pos: "NOUN",
    gloss: word,
  });
  expect(
    problemsOf("dialect", { region: "syrian", text: "شو عم تعمل؟", tokens: ["شو", "عم", "تعمل"].map(token) }),
  ).toEqual([]);
  expect(problemsOf("dialect", { region: "syrian", text: "شو عم تعمل؟", tokens: ["شو", "تعمل"].map(token) })).toEqual([
    "1: no token for عم",
  ]);
  expect(problemsOf("dialect", { region: "syrian", text: "شو عم تعمل؟", tokens: ["شو"].map(token) })).toHaveLength(1);
  expect(problemsOf("dialect", { region: "syrian", text: "شو", tokens: ["شي"].map(token) })).toHaveLength(1);
  expect(problemsOf("dialect", { region: "levant", text: "شو", tokens: ["شو"].map(token) })).toHaveLength(1);
});

test("every file is listed, every listed file is there, and a fifth of many is held out", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-lexicon-"));
  const list = (senses: Record<string, { held_out: boolean }>) =>
    writeFileSync(join(folder, "subjects.json"), JSON.stringify({ senses, entities: {}, relations: {}, dialect: {} }));
  mkdirSync(join(folder, "senses"));
  list({});
  writeFileSync(join(folder, "senses/verbs-1.jsonl"), `${JSON.stringify(SENSE)}\n`);
  expect(lexiconProblems(folder, morphology)).toEqual(["subjects.json: senses/verbs-1 is not listed"]);
  list({ "verbs-1": { held_out: false }, "verbs-2": { held_out: false } });
  expect(lexiconProblems(folder, morphology)).toEqual(["subjects.json: there is no senses/verbs-2.jsonl"]);
  const five = [1, 2, 3, 4, 5].map((n) => `verbs-${n}`);
  for (const [n, name] of five.entries()) {
    const [gloss, examples] = [`${SENSE.gloss} ${n}`, [`كتبت ${n} كلمات.`]];
    writeFileSync(
      join(folder, `senses/${name}.jsonl`),
      `${JSON.stringify({ ...SENSE, id: `${name}-0001`, gloss, examples })}\n`,
    );
  }
  list(Object.fromEntries(five.map((name) => [name, { held_out: false }])));
  expect(lexiconProblems(folder, morphology)).toEqual(["subjects.json: 0 % of senses are held out instead of a fifth"]);
  list(Object.fromEntries(five.map((name) => [name, { held_out: name === "verbs-3" }])));
  expect(lexiconProblems(folder, morphology)).toEqual([]);
  const first = readFileSync(join(folder, "senses/verbs-1.jsonl"), "utf8");
  writeFileSync(join(folder, "senses/verbs-2.jsonl"), first.replace("verbs-1", "verbs-2"));
  expect(lexiconProblems(folder, morphology)).toEqual([
    `senses: verbs-1-0001 and verbs-2-0001 have the same: ${SENSE.lemma}: ${SENSE.gloss} 0`,
    "senses: verbs-1-0001 and verbs-2-0001 have the same: كتبت 0 كلمات.",
  ]);
});

describe("claims", () => {
  const FOLDER = join(import.meta.dirname, "../../nlp/lexicon/claims");
  const TEXTS = ["He never voted against it.", "We lost 9 schools.", "Vote on the 3rd.", "Let her speak.", "Who pays?"];
  const LINES = TEXTS.map((text, i) => ({
    id: `economy-en-000${i + 1}`,
    text,
    ...(i < 2 ? { label: "claim", kind: "record" } : { label: "no", kind: "call" }),
  }));
  const problemsOf = (change: object, i = 0) =>
    claimFileProblems(
      "economy",
      "en",
      LINES.map((line, j) => `${JSON.stringify(i === j ? { ...line, ...change } : line)}\n`).join(""),
    );

  test("the check-worthy sentences and posts of the repository have no problems", () => {
    expect(claimProblems(FOLDER)).toEqual([]);
    expect(claimProblems(join(FOLDER, "../posts"), ["ar"])).toEqual([]);
  });

  test("the kind of a sentence decides its label", () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ kind: "opinion" })[0]).toStartWith("1: kind: ");
    expect(problemsOf({ label: "no" })[0]).toStartWith("1: kind: ");
    expect(problemsOf({ label: "maybe" })[0]).toStartWith("1: label: ");
    expect(problemsOf({ kind: "tale" })).toHaveLength(1);
  });

  test("ids ascend and name topic and language; a text is in its language", () => {
    expect(problemsOf({ id: "economy-ar-0001" })).toEqual(["1: the id does not begin with the name of its file"]);
    expect(problemsOf({ id: "economy-en-0001" }, 1)).toEqual(["2: ids must ascend, none twice"]);
    expect(problemsOf({ text: "لم يصوّت ضده قط." })).toEqual(["1: text: has no letters of en"]);
    expect(problemsOf({ note: "" })).toHaveLength(1);
  });

  test("digits and labels are in like shares", () => {
    expect(problemsOf({ text: "He voted against it 4 times." })).toEqual([" 100 % of the claims have digits"]);
    expect(problemsOf({ text: "Vote soon." }, 2)).toEqual([" 0 % of the others have digits"]);
    expect(problemsOf({ label: "claim", kind: "law" }, 4)).toEqual([" 60 % are claims"]);
  });

  test("every topic has both files, a fifth of the topics is held out, no sentence stands twice", () => {
    const folder = join(mkdtempSync(join(tmpdir(), "isnad-claims-")), "claims");
    cpSync(FOLDER, folder, { recursive: true });
    const topics = JSON.parse(readFileSync(join(folder, "topics.json"), "utf8"));
    const list = (value: object) => writeFileSync(join(folder, "topics.json"), JSON.stringify(value));
    const { war, ...others } = topics;
    list(others);
    expect(claimProblems(folder)).toEqual(
      ["war.ar.jsonl", "war.en.jsonl"].map((name) => `claims/topics.json: ${name} is of no topic`),
    );
    list({ ...topics, moon: war });
    expect(claimProblems(folder)).toEqual(
      ["moon.ar.jsonl", "moon.en.jsonl"].map((name) => `claims/topics.json: there is no ${name}`),
    );
    list(Object.fromEntries(Object.keys(topics).map((topic) => [topic, { held_out: false }])));
    expect(claimProblems(folder)).toEqual(["claims/topics.json: 0 % are held out instead of a fifth"]);
    list(topics);
    const text = readFileSync(join(folder, "war.en.jsonl"), "utf8").trimEnd();
    const first = JSON.parse(text.split("\n")[0] ?? "");
    writeFileSync(join(folder, "war.en.jsonl"), `${text}\n${JSON.stringify({ ...first, id: "war-en-9999" })}\n`);
    expect(claimProblems(folder)).toEqual([`claims: war-en-0001 and war-en-9999 have the same: ${first.text}`]);
  });

  test("the summary counts sentences, claims and digits", () => {
    const lines = claimSummary(FOLDER).split("\n");
    expect(lines.find((line) => line.startsWith("sport.en.jsonl (held out): "))).toMatch(
      /: \d+ sentences, \d+ % claims, with digits \d+ % of them, \d+ % of the others$/,
    );
    expect(lines.at(-2)).toStartWith("all claims: ");
    expect(lines.at(-1)).toContain(" irony");
  });
});
