import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@isnad/lib/service/config";
import { InferenceError, loadOptional, openRegistry, SHIPPED_MODELS } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { flipBit } from "../../lib/models/testing.ts";
import { openAnalysers } from "./analysis.ts";
import { createApp } from "./app.ts";
import { attempt } from "../../lib/arabic/attempt.ts";
import { importedPath, writeImported } from "../../lib/arabic/dialect/corpus.ts";
import { openEntities } from "./models.ts";
import { RE_MODEL } from "../../lib/arabic/relations/answer.ts";
import { openTestService, type TestService } from "./testing.ts";
import { openInventory, openRareSenses } from "../../lib/arabic/senses/inventory.ts";
import { openSenses } from "../../lib/arabic/senses/answer.ts";
import { openSenseModel, SENSES_MODEL } from "../../lib/arabic/senses/sense-vectors.ts";

let server: TestService;
beforeAll(async () => {
  server = await openTestService();
});
afterAll(() => server.close());

const post = (body: unknown): Promise<Response> =>
  fetch(`${server.url}/morph`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const get = (query: Record<string, string>): Promise<Response> =>
  fetch(`${server.url}/morph?${new URLSearchParams(query)}`);

test("a word is read in its sentence: lemma with vowels, part of speech, root, clitics", async () => {
  const { tokens } = Object(await (await post({ text: "وبكتابهم الجديد سيقولون الحقيقة." })).json());
  expect(tokens.map(({ token, pos }: { token: string; pos: string }) => [token, pos])).toEqual([
    ["وبكتابهم", "NOUN"],
    ["الجديد", "ADJ"],
    ["سيقولون", "VERB"],
    ["الحقيقة", "NOUN"],
    [".", "PUNCT"],
  ]);
  expect(tokens[0]).toMatchObject({
    lemma: "كِتاب",
    root: "ك ت ب",
    pattern: "فِعال",
    proclitics: [
      { form: "وَ", type: "conj" },
      { form: "بِ", type: "prep" },
    ],
    enclitics: [{ form: "هُم", type: "poss" }],
  });
  expect(tokens[2]).toMatchObject({
    lemma: "قَال",
    proclitics: [{ form: "سَ", type: "fut" }],
    features: { person: "3", number: "plur", aspect: "imp" },
  });
});

test("passives of hollow verbs are read, and clitics of words that no lexicon has cut off", async () => {
  const { tokens } = Object(await (await post({ text: "يقال إن السفينة رست." })).json());
  expect(tokens[0]).toMatchObject({ lemma: "قَال", pos: "VERB", features: { voice: "pass", person: "3" } });
  const [unknown] = Object(await (await post({ text: "وبالزخبطون", flag: "*" })).json()).tokens;
  expect(unknown.analyses).toContainEqual(
    expect.objectContaining({
      ...{ lemma: "زخبطون", lemma_id: null },
      proclitics: [
        { form: "وَ", type: "conj" },
        { form: "بِ", type: "prep" },
        { form: "ال", type: "det" },
      ],
    }),
  );
});

test("ta marbuta is no pronoun, words in Latin letters are no signs, and a preposition has the senses of one", async () => {
  const text = "استقالة رئيس CNN بعد وفاة ـ";
  const { tokens } = Object(await (await post({ text, flag: "*" })).json());
  const [resigned, , latin, , , tatweel] = tokens;
  expect([resigned.pos, latin.pos, tatweel.pos]).toEqual(["NOUN", "X", "PUNCT"]);
  expect(resigned.analyses.filter(({ enclitics }: { enclitics: unknown[] }) => enclitics.length > 0)).toEqual([]);
  const senses = Object(await (await fetch(`${server.url}/wsd?${new URLSearchParams({ text })}`)).json()).tokens;
  const { pos, lemma } = Object(await (await fetch(senses[3].sense_url)).json());
  expect([pos, lemma]).toEqual(["prep", "بَعْدَ"]);
});

test("GET and POST give the same bytes", async () => {
  const text = "كتبت الصحيفة عن ٣ انتخابات في U.S. اليوم؟ نعم 😀";
  for (const params of [{}, { flag: "*" }, { task: "pos" }, { include_lemma: true }]) {
    const posted = await (await post({ text, ...params })).text();
    const query = Object.fromEntries(Object.entries({ text, ...params }).map(([name, value]) => [name, String(value)]));
    expect(await (await get(query)).text()).toBe(posted);
  }
});

test("a task picks the fields, and `*` lists every reading, best first", async () => {
  const text = "كتبت";
  expect(await (await post({ text, task: "root" })).json()).toEqual({
    tokens: [{ token: text, start: 0, end: 4, root: "ك ت ب" }],
  });
  const { tokens } = Object(await (await post({ text, task: "lemmatization", flag: "*" })).json());
  expect(Object.keys(tokens[0])).toEqual(["token", "start", "end", "lemma", "lemma_id", "analyses"]);
  expect(tokens[0].analyses.length).toBeGreaterThan(1);
  expect(tokens[0].analyses[0]).toEqual({ lemma: "كَتَب", lemma_id: tokens[0].lemma_id, score: 1 });
});

test("every lemma URL is answered, as JSON or as a page; one that does not exist is 404", async () => {
  const { tokens } = Object(await (await post({ text: "الكتب", include_lemma: true })).json());
  const { lemma_url, lemma_id } = tokens[0];
  const response = await fetch(lemma_url);
  expect(await response.json()).toMatchObject({
    lemma_id,
    lemma: "كِتاب",
    root: "ك ت ب",
    forms: expect.arrayContaining(["كُتُب"]),
  });
  const page = await fetch(lemma_url, { headers: { accept: "text/html,*/*" } });
  expect([page.headers.get("content-type"), page.headers.get("vary"), (await page.text()).includes("كِتاب")]).toEqual([
    "text/html; charset=UTF-8",
    "Accept",
    true,
  ]);
  expect((await fetch(`${server.url}/lemmas/1`)).status).toBe(404);
  expect((await fetch(`${server.url}/lemmas/x`)).status).toBe(404);
});

test("bad input is told what rule it breaks", async () => {
  const errors = async (response: Response) => [response.status, Object(await response.json()).errors];
  expect(await errors(await post({ text: " " }))).toEqual([422, { text: ["must not be empty"] }]);
  expect(await errors(await post({}))).toEqual([422, { text: ["is required"] }]);
  expect(await errors(await post({ text: "كتب", language: "EGY" }))).toEqual([422, { language: ["must be MSA"] }]);
  expect((await post({ text: "ك".repeat(20_001) })).status).toBe(413);
  expect((await get({ text: "ك".repeat(2_001) })).status).toBe(414);
  expect((await post({ text: "كتب ".repeat(5_000) })).status).toBe(200);
  const plain = await fetch(`${server.url}/morph`, { method: "POST", body: "كتب" });
  expect(plain.status).toBe(415);
});

test("health names each model and lexicon with its version and licence, at both paths", async () => {
  const health = Object(await (await fetch(`${server.url}/health`)).json());
  expect(health).toMatchObject({
    status: "ok",
    service: "nlp",
    deps: { morphology: "ok", relations: "ok", senses: "ok", entities: "ok", dialect: "ok", threads: "ok" },
    components: {
      "morph-ar": { kind: "model" },
      "relations-ar": { kind: "model", licence: "Apache-2.0" },
      "dialect-ar": { kind: "model", licence: "Apache-2.0" },
      "tagger-ar-en": { kind: "model", licence: "Apache-2.0" },
      "senses-ar": { kind: "model", licence: "Apache-2.0" },
      "static-ar-en-256": { kind: "model", licence: "Apache-2.0" },
      "camel-morph-msa": { kind: "lexicon", licence: "CC BY 4.0" },
      "unicode-cldr": { kind: "lexicon", licence: "Unicode License v3" },
    },
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("a sentence in dialect by GET and POST: only GET guesses; conflict 400, nothing alike 404 with the closest, neither 422", async () => {
  const url = `${server.url}/dialect/nabra`;
  const send = (body: unknown) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const text = "بقديش كيلو البندورة اليوم يا معلم؟";
  const posted = await (await send({ text })).text();
  expect(await (await fetch(`${url}?${new URLSearchParams({ text })}`)).text()).toBe(posted);
  const { sentence_id, tokens } = JSON.parse(posted);
  expect(tokens[2]).toMatchObject({ token: "البندورة", segmentation: ["ال", "بندورة"], lemma_msa: "طماطم" });
  const guess = await fetch(`${url}?${new URLSearchParams({ text: `${text.slice(0, -1)}ي` })}`);
  expect(await guess.json()).toMatchObject({ sentence_id, match_type: "fuzzy" });
  const missed = await send({ text: `${text.slice(0, -1)}ي` });
  expect([missed.status, await missed.json()]).toMatchObject([404, { closest: { sentence_id, text } }]);
  expect((await send({ sentence_id: sentence_id - 1, text })).status).toBe(400);
  const neither = await send({});
  expect([neither.status, Object(await neither.json()).errors]).toEqual([
    422,
    { body: ["sentence_id or text is required"] },
  ]);
});

test("number and text together must be of one sentence, by whatever the text matches it", async () => {
  const url = `${server.url}/dialect/nabra`;
  const ask = async (query: Record<string, string>) => {
    const response = await fetch(`${url}?${new URLSearchParams(query)}`);
    return [response.status, Object(await response.json())];
  };
  const text = "بقديش كيلو البندورة اليوم يا معلم؟";
  const [, { sentence_id }] = await ask({ text });
  for (const same of [text, "كيلو البندورة", "بقديش كيلو البندورة اليوم يا معلمي"]) {
    expect(await ask({ sentence_id: String(sentence_id), text: same })).toMatchObject([
      200,
      { text, match_type: "id", match_score: 1 },
    ]);
  }
  expect((await ask({ sentence_id: String(sentence_id), text: "شو عم تطبخي" }))[0]).toBe(400);
  expect((await ask({ sentence_id: "1", text }))[0]).toBe(400);
  expect(await ask({ sentence_id: "1" })).toMatchObject([
    404,
    { closest: { sentence_id: expect.any(Number), text: expect.any(String), match_score: 0 } },
  ]);
  expect(await ask({ text: "بندورة خيار جزر فجل" })).toMatchObject([
    404,
    { closest: { sentence_id: expect.any(Number), text: expect.any(String), match_score: expect.any(Number) } },
  ]);
  for (const wrong of [{ sentence_id: "-1" }, { sentence_id: "x" }, { sentence_id: "" }, { text: " " }, {}]) {
    expect((await ask(wrong))[0]).toBe(422);
  }
  const byBody = async (id: number) => {
    const [headers, body] = [{ "content-type": "application/json" }, JSON.stringify({ sentence_id: id })];
    const response = await fetch(url, { method: "POST", headers, body });
    return [response.status, Object(await response.json())];
  };
  for (const id of [9_999_999_999, 10_000_000_000])
    expect(await ask({ sentence_id: String(id) })).toEqual(await byBody(id));
  expect((await ask({ sentence_id: "10000000000" }))[1].errors).toEqual({
    sentence_id: ["must be at most 9999999999"],
  });
  expect((await ask({ text: "ك".repeat(2_001) }))[0]).toBe(414);
});

test("an imported corpus answers at once, under its name in health; damaged it is 503, removed the own one is back", async () => {
  const path = importedPath(server.dataDir);
  const ask = async (text: string) => {
    const response = await fetch(`${server.url}/dialect/nabra?${new URLSearchParams({ text })}`);
    return [response.status, Object(await response.json())];
  };
  const health = async () => Object(await (await fetch(`${server.url}/health`)).json());
  const own = "بقديش كيلو البندورة اليوم يا معلم؟";
  const word = {
    token: "الديرة",
    coda: "الديرة",
    segmentation: ["ال", "ديرة"],
    lemma_msa: "دِيرَة",
    lemma_dialect: "ديرة",
  };
  const sentence = {
    sentence_id: 51,
    text: "هالديرة",
    dialect: "deiri",
    tokens: [{ ...word, pos: "NOUN", gloss: "town" }],
  };
  try {
    writeImported(path, [sentence], { corpus: "nabra", licence: "CC BY 4.0", imported_at: "2026-01-01T00:00:00Z" });
    expect(await ask("هالديرة")).toMatchObject([200, { ...sentence, source: "nabra", match_type: "exact" }]);
    expect((await ask(own))[0]).toBe(404);
    const { components } = await health();
    expect(components.nabra).toEqual({ kind: "lexicon", version: expect.any(String), licence: "CC BY 4.0" });
    expect("isnad-levantine" in components).toBe(false);
    appendFileSync(path, "x");
    expect(await ask("هالديرة")).toMatchObject([503, { detail: expect.stringContaining("nabra.jsonl is damaged") }]);
    expect((await health()).deps.dialect).toBe("fail");
    expect((await post({ text: "كتب" })).status).toBe(200);
  } finally {
    rmSync(path, { force: true });
  }
  expect((await ask(own))[0]).toBe(200);
});

test("the glossary of a text: offsets only where they are asked for, the same bytes by GET and POST", async () => {
  const url = `${server.url}/dialect/nabra/glossary`;
  const text = "البندورة، بقديش؟";
  const posted = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text, top_k: 1, include_offsets: true }),
  });
  const body = await posted.text();
  expect(JSON.parse(body).tokens[0]).toMatchObject({
    token: "البندورة",
    start: 0,
    end: 8,
    matches: [{ gloss: "tomatoes" }],
  });
  const query = new URLSearchParams({ text, top_k: "1", include_offsets: "1" });
  expect(await (await fetch(`${url}?${query}`)).text()).toBe(body);
  const { tokens } = Object(await (await fetch(`${url}?${new URLSearchParams({ text })}`)).json());
  expect("start" in tokens[0]).toBe(false);
  for (const wrong of [
    { top_k: "0" },
    { top_k: "x" },
    { top_k: "1e1" },
    { top_k: "" },
    { similarity_threshold: "2" },
    { include_offsets: "maybe" },
  ]) {
    expect((await fetch(`${url}?${new URLSearchParams({ text, ...wrong })}`)).status).toBe(422);
  }
});

test("each word has the sense that fits its sentence, with a URL that answers; one without senses has null", async () => {
  const url = `${server.url}/wsd`;
  const ask = async (text: string) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text, include_gloss: true }),
    });
    return Object(await response.json()).tokens;
  };
  const tokens = await ask("شربت ماء من عين في الجبل، ثم كشف الطبيب على عين المريض.");
  const eyes = tokens.filter(({ token }: { token: string }) => token === "عين");
  expect(eyes).toHaveLength(2);
  expect(eyes[0].sense_id).not.toBe(eyes[1].sense_id);
  expect(await (await fetch(eyes[1].sense_url)).json()).toMatchObject({ id: eyes[1].sense_id, gloss: eyes[1].gloss });
  expect((await fetch(`${server.url}/senses/none-0001`)).status).toBe(404);
  const [unknown] = await ask("زخبطونيا");
  expect(unknown).toEqual({
    ...{ token: "زخبطونيا", start: 0, end: 8, lemma: "زخبطونيا" },
    ...{ sense_id: null, sense_url: null, gloss: null },
  });
  const [, bare] = await answerOf("/wsd", { text: "كتب", include_offsets: "false" });
  expect(Object.keys(bare.tokens[0])).toEqual(["token", "lemma", "sense_id", "sense_url"]);
  const text = "قال الوزير كلمة قصيرة";
  const posted = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text }),
  });
  expect(await (await fetch(`${url}?${new URLSearchParams({ text })}`)).text()).toBe(await posted.text());
});

test("a sense is JSON, or a page for who would rather read one", async () => {
  const sense = Object(await (await fetch(`${server.url}/senses/verbs-1-0001`)).json());
  const page = await fetch(`${server.url}/senses/verbs-1-0001`, { headers: { accept: "text/html" } });
  expect([page.headers.get("content-type"), page.headers.get("vary")]).toEqual(["text/html; charset=UTF-8", "Accept"]);
  const html = await page.text();
  for (const words of [sense.lemma, sense.gloss, ...sense.examples]) expect(html).toContain(words);
});

test("events and their arguments, the same bytes by GET and POST; texts are judged as everywhere", async () => {
  const url = `${server.url}/re`;
  const send = (body: unknown) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const text = "التقى وزير الخارجية نظيره الفرنسي في باريس أمس.";
  const posted = await (await send({ text })).text();
  expect(await (await fetch(`${url}?${new URLSearchParams({ text })}`)).text()).toBe(posted);
  expect(JSON.parse(posted).relations).toContainEqual({
    ...{ predicate: "place", subject: "التقى", object: "باريس", event: "meeting", confidence: expect.any(Number) },
    ...{ event_id: 1, sentence: text, subject_type: "meeting", object_type: "GPE" },
    offsets: { predicate: null, subject: { start: 0, end: 5 }, object: { start: 37, end: 42 } },
  });
  const sure = Object(await (await send({ text, min_confidence: 0.9983 })).json()).relations;
  expect(sure.length).toBeGreaterThan(0);
  expect(sure.length).toBeLessThan(JSON.parse(posted).relations.length);
  expect((await send({ text, min_confidence: 1.1 })).status).toBe(422);
  expect(await (await send({ text: "الطقس جميل." })).json()).toEqual({ relations: [] });
  expect((await send({ text: " " })).status).toBe(422);
  expect((await send({})).status).toBe(422);
  expect((await send({ text: "ك".repeat(20_001) })).status).toBe(413);
  expect((await fetch(`${url}?${new URLSearchParams({ text: "ك".repeat(2_001) })}`)).status).toBe(414);
  expect((await send({ text: `${text} `.repeat(40) })).status).toBe(200);
});

describe("several texts at once", () => {
  const send = (path: string, body: unknown) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const TEXTS = ["زار الوزير بيروت أمس.", "كتبت الصحيفة عن الانتخابات.", "وصل القطار."];

  test.each(["/morph", "/ner", "/wsd", "/re", "/analyse", "/dialect/identify"])(
    "%s answers each as it does alone, in their order",
    async (path) => {
      const alone = await Promise.all(TEXTS.map(async (text) => (await send(path, { text })).json()));
      expect(await (await send(path, { texts: TEXTS })).json()).toEqual({ results: alone });
    },
  );

  test.each(["/morph", "/ner", "/wsd", "/re", "/analyse", "/dialect/identify"])(
    "%s says what is wrong with them",
    async (path) => {
      const errorsOf = async (body: unknown) => {
        const response = await send(path, body);
        return [response.status, Object(await response.json()).errors];
      };
      expect(await errorsOf({})).toEqual([422, { text: ["is required"] }]);
      expect(await errorsOf({ text: "كتب", texts: ["كتب"] })).toEqual([
        422,
        { texts: ["must not be given with text"] },
      ]);
      expect(await errorsOf({ texts: [] })).toEqual([422, { texts: ["must have at least 1 entry"] }]);
      expect(await errorsOf({ texts: Array(65).fill("كتب") })).toEqual([
        422,
        { texts: ["must have at most 64 entries"] },
      ]);
      expect(await errorsOf({ texts: Array(6).fill("ك".repeat(17_000)) })).toEqual([
        422,
        { texts: ["must have at most 100000 characters in all"] },
      ]);
    },
  );
});

const answerOf = async (path: string, query: Record<string, string>) => {
  const response = await fetch(`${server.url}${path}?${new URLSearchParams(query)}`);
  return [response.status, Object(await response.json())] as const;
};

test("every route cuts tokens alike, and /analyse tells of each what they tell", async () => {
  const text =
    "افتتح د. سعيد في 12/5/2018 مركز #القدس_لنا بكلفة 2.7%، ٣-١؛ انظر https://x.example/z. اكتب a@b.example!";
  const [, morph] = await answerOf("/morph", { text });
  const [, ner] = await answerOf("/ner", { text, include_offsets: "1" });
  const [, wsd] = await answerOf("/wsd", { text, include_gloss: "1" });
  const [, re] = await answerOf("/re", { text, min_confidence: "0" });
  const [, all] = await answerOf("/analyse", { text, min_confidence: "0" });
  const cut = ({ tokens }: { tokens: { token: string; start: number; end: number }[] }) =>
    tokens.map(({ token, start, end }) => [token, start, end]);
  for (const each of [ner, wsd, all]) expect(cut(each)).toEqual(cut(morph));
  expect(all.relations.length).toBeGreaterThan(0);
  expect({ entities: all.entities, relations: all.relations }).toEqual({ entities: ner.entities, ...re });
  expect(all.dialect).toEqual((await answerOf("/dialect/identify", { text }))[1]);
  for (const [i, token] of all.tokens.entries()) {
    const { sense_id, sense_url, sense_gloss: gloss } = token;
    expect(token).toMatchObject({ ...morph.tokens[i], tags: ner.tokens[i].tags });
    expect(wsd.tokens[i]).toMatchObject({ sense_id, sense_url, gloss });
  }
  expect(all.tokens.map(({ sentence }: { sentence: number }) => sentence).at(-1)).toBe(1);
});

test("/analyse tells the layers that are asked for", async () => {
  const text = "زار رئيس بلدية نابلس.";
  const [, named] = await answerOf("/analyse", { text, layers: "ner" });
  expect(Object.keys(named)).toEqual(["tokens", "entities"]);
  expect(named.tokens[3]).toEqual({
    ...{ token: "نابلس", start: 15, end: 20, sentence: 0 },
    tags: ["I-OCC", "I-ORG", "B-GPE"],
  });
  const [, events] = await answerOf("/analyse", { text, layers: "re, wsd" });
  expect(Object.keys(events)).toEqual(["tokens", "relations"]);
  expect(Object.keys(events.tokens[0])).toContain("sense_id");
  const wrong = await answerOf("/analyse", { text, layers: "ner,words" });
  expect([wrong[0], wrong[1].errors]).toEqual([
    422,
    { layers: ["must be some of morph, ner, wsd, re, dialect, parted by commas"] },
  ]);
});

test("a text is told to be of its region, with the probability of each", async () => {
  for (const [dialect, text] of [
    ["egyptian", "إزيك يا باشا، عايز إيه دلوقتي؟ مفيش حاجة هنا النهارده"],
    ["iraqi", "شلونك عيني، شكو ماكو؟ گلي شتريد هسه"],
    ["maghrebi", "واش بغيتي تمشي معايا؟ ما كاين والو هنا بزاف"],
    ["msa", "أعلنت وزارة الصحة أمس أن عدد المصابين ارتفع إلى ثلاثين شخصا"],
  ] as const) {
    const [status, found] = await answerOf("/dialect/identify", { text });
    expect([status, found.dialect]).toEqual([200, dialect]);
    const scores = Object.values<number>(found.scores);
    expect(scores.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 2);
    expect(Math.max(...scores)).toBe(found.scores[dialect]);
  }
});

test("lemmas are found by root, by letters or vowels, and by what they mean in English", async () => {
  const lemmasOf = async (query: Record<string, string>) => {
    const [status, { lemmas, total }] = await answerOf("/lemmas", query);
    expect([query, status]).toEqual([query, 200]);
    return { lemmas: lemmas.map(({ lemma }: { lemma: string }) => lemma), total };
  };
  const { lemmas, total } = await lemmasOf({ root: "ك ت ب" });
  expect(lemmas).toEqual(expect.arrayContaining(["كِتاب", "كَتَب", "مَكتَب"]));
  expect(await lemmasOf({ root: "كتب", limit: "2", offset: "1" })).toEqual({ lemmas: lemmas.slice(1, 3), total });
  expect((await lemmasOf({ root: "س-أ-ل" })).lemmas).toContain("سُؤال");
  expect((await lemmasOf({ lemma: "كتاب" })).lemmas).toEqual(["كِتاب", "كُتّاب"]);
  expect((await lemmasOf({ lemma: "كُتّاب" })).lemmas).toEqual(["كُتّاب"]);
  expect((await lemmasOf({ en: "Book" })).lemmas[0]).toBe("كِتاب");
  expect((await lemmasOf({ en: "write", root: "كتب" })).lemmas).toContain("كَتَب");
  expect(await lemmasOf({ en: "zzzq" })).toEqual({ lemmas: [], total: 0 });
  for (const query of [{}, { root: "abc" }, { en: "كتاب" }, { lemma: "" }, { root: "كتب", limit: "101" }, { q: "x" }])
    expect([query, (await answerOf("/lemmas", Object(query)))[0]]).toEqual([query, 422]);
});

test("senses are found by a lemma, with or without vowels, and by an expression", async () => {
  const meanings = async (lemma: string) =>
    (await answerOf("/senses", { lemma }))[1].senses.flatMap(({ en }: { en: string[] }) => en);
  expect(await meanings("عين")).toEqual(expect.arrayContaining(["eye", "spring (of water)", "appoint"]));
  expect(await meanings("عَيْن")).not.toContain("appoint");
  expect(await meanings("على  الرغم من")).toEqual(["despite"]);
  expect(await meanings("زخبطون")).toEqual([]);
  expect((await answerOf("/senses", {}))[0]).toBe(422);
});

test("an English text is refused where Arabic is read, and entities are found in it", async () => {
  const ask = (path: string) => fetch(`${server.url}${path}?text=The+council+met+in+London`);
  for (const path of ["/morph", "/wsd", "/re", "/analyse", "/dialect/identify"]) {
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 422]);
    expect(Object(await response.json()).errors).toEqual({ text: ["has no Arabic letter: this route reads Arabic"] });
  }
  expect((await ask("/ner")).status).toBe(200);
  expect((await fetch(`${server.url}/morph?text=2026`)).status).toBe(200);
});

test("a part whose files are damaged answers 503 by name; all others answer", async () => {
  const broken = openSenses(
    { embedder: { model: server.embedder }, senses: { model: server.senses } },
    attempt(() => {
      throw new Error("nouns-1.jsonl is cut short");
    }),
  );
  const config = loadConfig({}, { service: "nlp" });
  const logger = createLogger({ service: "nlp", level: "fatal" });
  const missing = new InferenceError("model-missing", "tagger-ar-en: model.onnx is missing", { model: "tagger-ar-en" });
  const { app } = createApp({
    ...{ config, logger, metrics: createMetrics(), analysers: server.analysers },
    ...{ senses: broken, entities: openEntities({ problem: missing }) },
  });
  const wsd = await app.request("http://nlp/wsd?text=%D9%83%D8%AA%D8%A8", { headers: { host: "localhost" } });
  expect([wsd.status, await wsd.json()]).toMatchObject([
    503,
    { detail: expect.stringContaining("nouns-1.jsonl is cut short") },
  ]);
  const ner = await app.request("http://nlp/ner?text=%D9%83%D8%AA%D8%A8", { headers: { host: "localhost" } });
  expect([ner.status, await ner.json()]).toMatchObject([503, { detail: expect.stringContaining("tagger-ar-en") }]);
  expect(
    (await app.request("http://nlp/morph?text=%D9%83%D8%AA%D8%A8", { headers: { host: "localhost" } })).status,
  ).toBe(200);
  const health = await app.request("http://nlp/health", { headers: { host: "localhost" } });
  expect(await health.json()).toMatchObject({
    status: "degraded",
    deps: { senses: "fail", entities: "fail", morphology: "ok" },
  });
});

test("where entities cannot be found for a broken file /ner answers 503, and /re without them", async () => {
  const broken = new InferenceError("worker-failed", "expressions.json is missing", { model: "tagger-ar-en" });
  const { app } = createApp({
    ...{ config: loadConfig({}, { service: "nlp" }), metrics: createMetrics(), analysers: server.analysers },
    logger: createLogger({ service: "nlp", level: "fatal" }),
    senses: openSenses(
      { embedder: { model: server.embedder }, senses: { model: server.senses } },
      attempt(openInventory),
    ),
    entities: { nested: () => Promise.reject(broken), check: () => Promise.reject(broken) },
  });
  const text = new URLSearchParams({ text: "التقى الوزير نظيره الفرنسي في باريس." });
  const ask = (path: string) => app.request(`http://nlp${path}?${text}`, { headers: { host: "localhost" } });
  const ner = await ask("/ner");
  expect([ner.status, await ner.json()]).toMatchObject([503, { detail: expect.stringContaining("expressions.json") }]);
  const re = await ask("/re");
  expect([re.status, Object(await re.json()).relations.length > 0]).toEqual([200, true]);
});

test("without the list of rare senses /wsd alone answers 503, and names it", async () => {
  const senses = openSenses(
    { embedder: { model: server.embedder }, senses: { model: server.senses } },
    attempt(openInventory),
    () => openRareSenses(join(server.dataDir, "rare-senses.txt")),
  );
  expect(senses.chooser).toThrow("rare-senses.txt");
  expect(senses.inventory().byId("verbs-1-0001")?.id).toBe("verbs-1-0001");
});

test("a damaged model of relations answers 503 by name at its route, all others answer, and health says so", async () => {
  const own = mkdtempSync(join(tmpdir(), "isnad-nlp-"));
  const folder = join(own, "models", RE_MODEL);
  cpSync(join(SHIPPED_MODELS, RE_MODEL), folder, { recursive: true });
  flipBit(join(folder, "triggers.bin"));
  const damaged = openAnalysers({ dataDir: own });
  const { app } = createApp({
    ...{ config: loadConfig({ DATA_DIR: own }, { service: "nlp" }), metrics: createMetrics(), analysers: damaged },
    logger: createLogger({ service: "nlp", level: "fatal" }),
    ...{
      senses: openSenses(
        { embedder: { model: server.embedder }, senses: { model: server.senses } },
        attempt(openInventory),
      ),
      entities: openEntities({ model: server.tagger }),
    },
  });
  const ask = (path: string) => app.request(`http://nlp${path}`, { headers: { host: "localhost" } });
  const text = new URLSearchParams({ text: "كتب" });
  const re = await ask(`/re?${text}`);
  expect([re.status, await re.json()]).toMatchObject([
    503,
    { detail: expect.stringContaining(`${RE_MODEL}: triggers.bin`) },
  ]);
  const sentence = new URLSearchParams({ text: "بقديش كيلو البندورة اليوم يا معلم؟" });
  for (const path of ["/morph", "/ner", "/wsd", "/dialect/nabra", "/dialect/nabra/glossary"]) {
    expect([path, (await ask(`${path}?${sentence}`)).status]).toEqual([path, 200]);
  }
  const { status, deps } = Object(await (await ask("/health")).json());
  const [failed, ok] = ["fail", "ok"].map((state) => Object.keys(deps).filter((name) => deps[name] === state));
  expect([status, failed, ok?.length]).toEqual(["degraded", ["relations"], Object.keys(deps).length - 1]);
  await damaged.close();
  rmSync(own, { recursive: true });
});

test("a damaged model of senses answers 503 by name at /wsd, and all others answer", async () => {
  const own = mkdtempSync(join(tmpdir(), "isnad-nlp-"));
  const folder = join(own, "models", SENSES_MODEL);
  cpSync(join(SHIPPED_MODELS, SENSES_MODEL), folder, { recursive: true });
  flipBit(join(folder, "vectors.bin"));
  const logger = createLogger({ service: "nlp", level: "fatal" });
  const senses = await loadOptional(
    { task: "senses", without: "/wsd answers 503" },
    () => openSenseModel({ registry: openRegistry({ dataDir: own }) }),
    logger,
  );
  const { app } = createApp({
    ...{ config: loadConfig({}, { service: "nlp" }), logger, metrics: createMetrics(), analysers: server.analysers },
    senses: openSenses({ embedder: { model: server.embedder }, senses }, attempt(openInventory)),
    entities: openEntities({ model: server.tagger }),
  });
  const ask = (path: string) =>
    app.request(`http://nlp${path}?text=%D9%83%D8%AA%D8%A8`, { headers: { host: "localhost" } });
  const wsd = await ask("/wsd");
  expect([wsd.status, await wsd.json()]).toMatchObject([
    503,
    { detail: expect.stringContaining(`${SENSES_MODEL}: vectors.bin`) },
  ]);
  for (const path of ["/morph", "/ner", "/re"]) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  const health = Object(await (await app.request("http://nlp/health", { headers: { host: "localhost" } })).json());
  expect([health.status, health.deps.senses, health.deps.entities]).toEqual(["degraded", "fail", "ok"]);
  rmSync(own, { recursive: true });
});
