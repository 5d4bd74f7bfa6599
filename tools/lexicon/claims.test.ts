import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimFileProblems, claimProblems, claimSummary } from "./claims.ts";

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
