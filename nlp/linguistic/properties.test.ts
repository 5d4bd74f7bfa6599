import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ENTITY_TYPES, EVENT_TYPES } from "@isnad/lib/contract";
import { z } from "zod";
import { openTestService, type TestService } from "./testing.ts";

setDefaultTimeout(300_000);

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const Place = z.object({ start: z.int().min(0), end: z.int().min(0) });
const Spoken = Place.extend({ token: z.string().min(1) });
const Reading = z.object({ lemma: z.string().min(1), lemma_id: z.int().nullable(), pos: z.string().min(1) });
const Morph = z.object({
  tokens: z.array(Spoken.extend(Reading.shape).extend({ analyses: z.array(Reading.extend({ score: z.number() })) })),
});
const Entity = Place.extend({ type: z.enum(ENTITY_TYPES), text: z.string().min(1), level: z.int().min(0) });
const Nested = z.object({
  tokens: z.array(Spoken.extend({ tags: z.array(z.string()).min(1) })),
  entities: z.array(Entity),
});
const Flat = z.object({ tokens: z.array(Spoken.extend({ tag: z.string() })), entities: z.array(Entity) });
const Senses = z.object({
  tokens: z.array(
    z.object({
      ...{ token: z.string(), lemma: z.string(), sense_id: z.string().nullable() },
      ...{ sense_url: z.string().nullable(), gloss: z.string().nullable() },
    }),
  ),
});
const Relations = z.object({
  relations: z.array(
    z.object({
      ...{ predicate: z.string(), subject: z.string().min(1), object: z.string().min(1) },
      ...{ event: z.enum(EVENT_TYPES), confidence: z.number().gt(0).max(1) },
      offsets: z.object({ predicate: z.null(), subject: Place, object: Place }),
    }),
  ),
});
const Glossary = z.object({
  tokens: z.array(Spoken.extend({ matches: z.array(z.object({ score: z.number(), sentence_ids: z.array(z.int()) })) })),
});

async function send(path: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.text();
  expect([path, response.status, response.ok ? "" : answer]).toEqual([path, 200, ""]);
  return answer;
}

async function ask<T>(schema: z.ZodType<T>, path: string, body: object): Promise<T> {
  return schema.parse(JSON.parse(await send(path, body)));
}

const morph = (text: string) => ask(Morph, "/morph", { text, flag: "*" });
const nested = (text: string) => ask(Nested, "/ner", { text, include_offsets: true });
const flat = (text: string) => ask(Flat, "/ner", { text, include_offsets: true, mode: "flat" });
const senses = (text: string) => ask(Senses, "/wsd", { text, include_gloss: true });
const relations = (text: string) => ask(Relations, "/re", { text });
const glossary = (text: string) => ask(Glossary, "/dialect/nabra/glossary", { text, include_offsets: true });

/** Sentences that each have something by which offsets, tags or parts could go wrong. */
const SENTENCES = [
  "أعلنت وزارة الصحة اللبنانية أمس مقتل ثلاثة مدنيين وإصابة خمسة آخرين في غارة على بلدة قرب صور.",
  "قال رئيس بلدية نابلس إنّ الاجتماع سيُعقد يوم الأحد ٢٥ آذار ٢٠١٨ في الساعة العاشرة صباحاً.",
  "بلغت قيمة الصفقة 1.5 مليون دولار، أي ما يعادل ٧٥٪ من ميزانية الشركة!",
  "التقى وزيرُ الخارجيّةِ الفرنسيُّ نظيرَه الأردنيَّ أيمن الصفدي في عمّان، وبحثا ملفَّ اللاجئين.",
  "فاز النادي الأهلي على الزمالك ٣-١ في نهائي كأس مصر، فسجّل وليد سليمان هدفين 😀😀.",
  "نشرت BBC وموقع https://example.org/خبر؟id=5 تقريراً عن شركة OpenAI الأميركية (2023).",
  "«لن نستسلم» قالها القائد للصحفيين؛ ثم غادر المؤتمرَ الصحفي في نيويورك…",
  "العـــراق وَاليمن و\u200fسوريا\u200e و\u202bمصر\u202c: أربع دول شاركت في القمة العربية الـ29 بالظهران.",
  "استقال المدير بعد 3 أعوام من تعيينه, وعُيّن نائبه مكانه... فمن يخلفه؟",
  "وبالكتابِ وللمعلمين وكالطلاب فسيكتبونها لهم، أفلا يقرؤون؟",
  "𝒳 هو المجهول في المعادلة a\u0301 = ﻻ، ورمز اليورو €.",
];

/** All sentences in one text, on lines of their own. */
const ARTICLE = SENTENCES.join("\n");

const pieceOf = (text: string, { start, end }: z.output<typeof Place>): string => [...text].slice(start, end).join("");

/** What of a text lies in none of these places, which must not overlap and stand in order. */
function between(text: string, places: readonly z.output<typeof Place>[]): string {
  const points = [...text];
  let last = 0;
  let rest = "";
  for (const { start, end } of places) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(points.length);
    rest += points.slice(last, start).join("");
    last = end;
  }
  return rest + points.slice(last).join("");
}

/** What is no token: white space and characters that are not seen. */
const UNSEEN = /^[\s\p{C}]*$/u;

describe.each([...SENTENCES, ARTICLE].map((text) => [text.slice(0, 60), text] as const))("%s", (_, text) => {
  test("tokens of /morph are the text but for what is not seen, in order, each where it says", async () => {
    const { tokens } = await morph(text);
    expect(between(text, tokens)).toMatch(UNSEEN);
    for (const token of tokens) expect(pieceOf(text, token)).toBe(token.token);
  });

  test("the first analysis of a token is its reading; no two are the same, and the others stand by their scores", async () => {
    for (const { analyses, lemma, lemma_id, pos } of (await morph(text)).tokens) {
      const [first, ...others] = analyses;
      expect(first).toMatchObject({ lemma, lemma_id, pos, score: 1 });
      const scores = others.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const score of scores) expect(score).toBeWithin(0, 1 + Number.EPSILON);
    }
  });

  test("each task of /morph gives what the full answer gives of its fields", async () => {
    const full = JSON.parse(await send("/morph", { text })).tokens;
    for (const [task, fields] of [
      ["lemmatization", ["lemma", "lemma_id"]],
      ["pos", ["pos"]],
      ["root", ["root"]],
    ] as const) {
      const keys: readonly string[] = ["token", "start", "end", ...fields];
      const picked = full.map((token: object) => Object.fromEntries(keys.map((key) => [key, Object(token)[key]])));
      expect(JSON.parse(await send("/morph", { text, task })).tokens).toEqual(picked);
    }
  });

  test("/wsd reads the tokens and lemmas that /morph does, and a sense has its URL and its gloss", async () => {
    const { tokens } = await senses(text);
    const read = (await morph(text)).tokens.map(({ token, lemma }) => ({ token, lemma }));
    expect(tokens.map(({ token, lemma }) => ({ token, lemma }))).toEqual(read);
    for (const { sense_id, sense_url, gloss } of tokens) {
      expect(sense_url).toBe(sense_id === null ? null : `${service.url}/senses/${sense_id}`);
      expect(gloss === null).toBe(sense_id === null);
    }
  });

  test("entities are pieces of the text that nest or lie apart; the level counts those around", async () => {
    const { entities } = await nested(text);
    for (const [i, entity] of entities.entries()) {
      expect(pieceOf(text, entity)).toBe(entity.text);
      const others = entities.filter((_, other) => other !== i);
      for (const { start, end } of others) {
        const isApart = end <= entity.start || start >= entity.end;
        const isAround = start <= entity.start && end >= entity.end;
        const isWithin = start >= entity.start && end <= entity.end;
        expect(isApart || isAround || isWithin).toBe(true);
      }
      const around = entities.slice(0, i).filter(({ end }) => end >= entity.end && end > entity.start);
      expect(entity.level).toBe(around.length);
    }
    const starts = entities.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  test("tags tell the entities: each begins where its B stands and goes on with I; flat are the outermost", async () => {
    const { tokens, entities } = await nested(text);
    expect(between(text, tokens)).toMatch(/^[\s\p{C}\p{M}\u0640]*$/u);
    for (const [i, { tags, start, end }] of tokens.entries()) {
      const here = entities.filter((entity) => entity.start < end && entity.end > start);
      const told = here.map((entity) => `${(tokens[i - 1]?.end ?? 0) > entity.start ? "I" : "B"}-${entity.type}`);
      expect(tags).toEqual(told.length === 0 ? ["O"] : told);
    }
    const outer = await flat(text);
    expect(outer.entities).toEqual(entities.filter(({ level }) => level === 0));
    expect(outer.tokens).toEqual(tokens.map(({ tags: [tag = ""], ...token }) => ({ ...token, tag })));
  });

  test("a relation's trigger and argument are pieces of one sentence, apart from each other, triggers in order", async () => {
    const { relations: found } = await relations(text);
    for (const { subject, object, offsets } of found) {
      expect([pieceOf(text, offsets.subject), pieceOf(text, offsets.object)]).toEqual([subject, object]);
      const isApart = offsets.object.end <= offsets.subject.start || offsets.object.start >= offsets.subject.end;
      expect(isApart).toBe(true);
      const from = Math.min(offsets.subject.start, offsets.object.start);
      expect(pieceOf(text, { start: from, end: Math.max(offsets.subject.end, offsets.object.end) })).not.toInclude(
        "\n",
      );
    }
    const starts = found.map(({ offsets }) => offsets.subject.start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  test("the glossary has the words of the text, without signs, each with its meanings, best first", async () => {
    const { tokens } = await glossary(text);
    expect(between(text, tokens)).not.toMatch(/[\p{L}\p{N}]/u);
    for (const { token, start, end, matches } of tokens) {
      expect(pieceOf(text, { start, end })).toBe(token);
      const scores = matches.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const score of scores) expect(score).toBeWithin(0.65, 1 + Number.EPSILON);
      expect(matches.length).toBeLessThanOrEqual(3);
    }
  });
});

test("the same text has the same answer, whatever was asked in between and side by side", async () => {
  const all = (text: string) =>
    Promise.all(["/morph", "/ner", "/wsd", "/re", "/dialect/nabra/glossary"].map((path) => send(path, { text })));
  const first = await all(ARTICLE);
  const [, again] = await Promise.all([...SENTENCES.map(all), all(ARTICLE)].slice(-2));
  expect(again).toEqual(first);
  expect(await all(ARTICLE)).toEqual(first);
});

test("a sentence is read by /morph and the glossary as it is by itself, whatever sentence follows", async () => {
  for (const [i, sentence] of SENTENCES.entries()) {
    const text = `${sentence}\n${SENTENCES[(i + 1) % SENTENCES.length]}`;
    for (const read of [morph, glossary]) {
      const alone = (await read(sentence)).tokens;
      expect((await read(text)).tokens.slice(0, alone.length)).toEqual(alone);
    }
  }
});

test("digits of either script are one number to /morph and /ner", async () => {
  const arabic = "سجل الفريق ٣ أهداف في ١٢ مباراة سنة ٢٠١٨ وبلغت الأرباح ٧٥٪.";
  const western = arabic.replace(/[٠-٩]/g, (digit) => String("٠١٢٣٤٥٦٧٨٩".indexOf(digit))).replace("٪", "%");
  const posOf = async (text: string) => (await morph(text)).tokens.map(({ pos }) => pos);
  expect(await posOf(western)).toEqual(await posOf(arabic));
  const typesOf = async (text: string) =>
    (await nested(text)).entities.map(({ type, start, end }) => [type, start, end]);
  expect(await typesOf(western)).toEqual(await typesOf(arabic));
  expect((await typesOf(arabic)).map(([type]) => type)).toContain("PERCENT");
});

test("marks of direction, tatweel and vowels move the offsets and change nothing else that is said", async () => {
  const plain = "زار الرئيس اللبناني ميشال عون مدينة طرابلس.";
  const marked = "\u202bزار الرَّئيس اللبنـــاني\u200f ميشال عون مدينة طرابـلس\u202c.";
  const lemmasOf = async (text: string) => (await morph(text)).tokens.map(({ lemma, pos }) => [lemma, pos]);
  expect(await lemmasOf(marked)).toEqual(await lemmasOf(plain));
  const [one, other] = [await nested(plain), await nested(marked)];
  const bare = (text: string) => text.replace(/[\p{M}\u0640\u200e\u200f\u202a-\u202e]/gu, "");
  expect(other.entities.map(({ type, text, level }) => [type, bare(text), level])).toEqual(
    one.entities.map(({ type, text, level }) => [type, text, level]),
  );
});

test("characters are counted, not their halves: 20,000 outside of the basic plane are a text, one more is 413", async () => {
  const longest = "😀".repeat(20_000);
  for (const path of ["/morph", "/wsd", "/dialect/nabra/glossary"]) await send(path, { text: longest });
  for (const path of ["/morph", "/ner", "/wsd", "/re", "/dialect/nabra/glossary"]) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ text: `${longest}😀` });
    const refused = await fetch(`${service.url}${path}`, { method: "POST", headers, body });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([413, "application/problem+json"]);
    const problem = Object(await refused.json());
    expect(problem).toMatchObject({ type: "/errors/payload-too-large", status: 413, instance: path });
    expect(problem.detail).toContain("20000 characters");
    expect(problem.detail).toContain("20001");
  }
});
