import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { openTestService, type TestService } from "../testing.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const SENTENCE = "/dialect/nabra";
const GLOSSARY = "/dialect/nabra/glossary";

const Problem = z.object({
  ...{ type: z.string(), title: z.string(), status: z.int(), instance: z.string() },
  detail: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  closest: z.object({ sentence_id: z.int(), text: z.string(), match_score: z.number() }).nullish(),
});
const Found = z.object({
  ...{ sentence_id: z.int(), text: z.string(), dialect: z.string(), source: z.string() },
  ...{ match_type: z.enum(["id", "exact", "substring", "fuzzy"]), match_score: z.number() },
  tokens: z.array(z.object({ token: z.string(), coda: z.string(), segmentation: z.array(z.string()).min(1) })).min(1),
});
const Words = z.object({
  tokens: z.array(z.object({ token: z.string(), matches: z.array(z.object({ score: z.number() })) })),
});

type Query = Record<string, string>;

/** Sentences of the corpus that ships. */
const EXAM = "بكرا عندي فحص رياضيات وما درست شي.";
const TRIP = "شو رأيك نطلع مشوار عالبحر يوم الجمعة؟";

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const get = (path: string, query: Query): Promise<Response> =>
  fetch(`${service.url}${path}?${new URLSearchParams(query)}`);

async function problem(response: Response): Promise<z.output<typeof Problem>> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const found = Problem.parse(await response.json());
  expect(found.status).toBe(response.status);
  return found;
}

async function sentence(response: Response): Promise<z.output<typeof Found>> {
  expect(response.status).toBe(200);
  return Found.parse(await response.json());
}

describe("a sentence", () => {
  test("is the same by its number, by its text and by both, but for how it was found", async () => {
    const { match_type, match_score, ...first } = await sentence(await post(SENTENCE, { text: EXAM }));
    expect([first.text, match_type, match_score]).toEqual([EXAM, "exact", 1]);
    const { sentence_id } = first;
    const byId = await sentence(await get(SENTENCE, { sentence_id: String(sentence_id) }));
    expect(byId).toEqual({ ...first, match_type: "id", match_score: 1 });
    const byBoth = await sentence(await post(SENTENCE, { sentence_id, text: EXAM }));
    expect(byBoth).toEqual(byId);
  });

  test("has its words in the order of its text, each with the parts that CODA writes it in", async () => {
    for (const text of [EXAM, TRIP]) {
      const { tokens } = await sentence(await post(SENTENCE, { text }));
      let from = 0;
      for (const { token, coda, segmentation } of tokens) {
        from = text.indexOf(token, from);
        expect(from).toBeGreaterThanOrEqual(0);
        from += token.length;
        expect(segmentation.join("").length).toBeLessThanOrEqual(coda.length + 2);
      }
    }
  });

  test("is found by a part of it in both forms, with the share of it that the part is", async () => {
    const part = EXAM.split(" ").slice(0, -1).join(" ");
    for (const response of [await post(SENTENCE, { text: part }), await get(SENTENCE, { text: part })]) {
      const found = await sentence(response);
      expect(found.match_type).toBe("substring");
      expect(found.match_score).toBeWithin(0, 1);
      expect(found.text).toContain(part);
    }
  });

  test("that is written otherwise is guessed by GET alone; POST answers 404 with it as the closest", async () => {
    const { text, sentence_id } = await sentence(await post(SENTENCE, { text: EXAM }));
    const other = text.replace("رياضيات", "فيزياء");
    const guessed = await sentence(await get(SENTENCE, { text: other }));
    expect(guessed).toMatchObject({ sentence_id, match_type: "fuzzy" });
    expect(guessed.match_score).toBeWithin(0.65, 1);
    const none = await problem(await post(SENTENCE, { text: other }));
    expect(none).toMatchObject({ status: 404, type: "/errors/not-found", instance: SENTENCE });
    expect(none.closest).toEqual({ sentence_id, text, match_score: guessed.match_score });
  });

  test("conflicts with a number of another one, in both forms", async () => {
    const { sentence_id } = await sentence(await post(SENTENCE, { text: TRIP }));
    for (const response of [
      await post(SENTENCE, { sentence_id, text: EXAM }),
      await get(SENTENCE, { sentence_id: String(sentence_id), text: EXAM }),
    ]) {
      expect(await problem(response)).toMatchObject({ status: 400, type: "/errors/bad-request" });
    }
  });

  test("that there is not is 404, with the nearest by number, or by text however unlike", async () => {
    const far = await problem(await post(SENTENCE, { sentence_id: 9_999_999_999 }));
    expect(far.closest).toMatchObject({ match_score: 0 });
    const last = far.closest?.sentence_id ?? 0;
    expect((await problem(await post(SENTENCE, { sentence_id: last + 1 }))).closest).toEqual(far.closest ?? null);
    for (const text of ["xyzzy", "7", "؟!", "😀", "ظ"]) {
      const { status, closest } = await problem(await get(SENTENCE, { text }));
      expect([status, typeof closest?.text]).toEqual([404, "string"]);
    }
  });

  test.each([
    [-1, "must be at least 0"],
    [10_000_000_000, "must be at most 9999999999"],
    [1.5, "must be a whole number"],
    ["1", "must be a number"],
    [null, "must be a number"],
  ])("with the number %p in a body is 422: %s", async (sentence_id, rule) => {
    const { status, errors } = await problem(await post(SENTENCE, { sentence_id }));
    expect([status, errors]).toEqual([422, { sentence_id: [rule] }]);
  });

  test.each([-1, 1.5, 10_000_000_000, 1e20])(
    "with the number %p is 422 in the same words in both forms",
    async (id) => {
      const got = await get(SENTENCE, { sentence_id: BigInt(Math.floor(id)) + (id % 1 === 0 ? "" : ".5") });
      const posted = await post(SENTENCE, { sentence_id: id });
      expect([got.status, await got.json()]).toEqual([422, await posted.json()]);
    },
  );

  test.each(["٣", "1e3", "0x1", "", " 1"])("with %p for a number in a URL is 422", async (sentence_id) => {
    const { status, errors } = await problem(await get(SENTENCE, { sentence_id }));
    expect([status, errors]).toEqual([422, { sentence_id: ["must be a whole number from 0 to 9999999999"] }]);
  });

  test("with neither number nor text is 422, and the rule is of the body as a whole", async () => {
    for (const response of [await post(SENTENCE, {}), await get(SENTENCE, {})]) {
      expect((await problem(response)).errors).toEqual({ body: ["sentence_id or text is required"] });
    }
  });
});

describe("the glossary", () => {
  const text = "بقديش كيلو البندورة اليوم؟";
  const words = async (body: object) => Words.parse(await (await post(GLOSSARY, { text, ...body })).json()).tokens;

  test("gives three meanings of 0.65 and more unless it is told otherwise", async () => {
    expect(await words({})).toEqual(await words({ top_k: 3, similarity_threshold: 0.65 }));
  });

  test("gives no more for a higher threshold or a smaller number, and what it gives stays the best", async () => {
    const all = await words({ top_k: 50, similarity_threshold: 0 });
    for (const top_k of [1, 2, 50]) {
      for (const similarity_threshold of [0, 0.65, 0.9, 1]) {
        const some = await words({ top_k, similarity_threshold });
        for (const [i, { matches }] of some.entries()) {
          const best = all[i]?.matches.filter(({ score }) => score >= similarity_threshold) ?? [];
          expect(matches).toEqual(best.slice(0, top_k));
        }
      }
    }
  });

  test("gives places only where they are asked for, of the words without the signs beside them", async () => {
    for (const { token, ...rest } of await words({})) {
      expect(token).not.toMatch(/\p{P}/u);
      expect(Object.keys(rest)).toEqual(["matches"]);
    }
    const { tokens } = Object(await (await post(GLOSSARY, { text, include_offsets: true })).json());
    for (const { token, start, end } of tokens) expect([...text].slice(start, end).join("")).toBe(token);
  });

  test.each([
    [{ top_k: "51" }, { top_k: ["must be at most 50"] }],
    [{ top_k: "0" }, { top_k: ["must be at least 1"] }],
    [{ top_k: "3.5" }, { top_k: ["must be a whole number"] }],
    [{ similarity_threshold: "1.01" }, { similarity_threshold: ["must be at most 1"] }],
    [{ similarity_threshold: `${"0".repeat(33)}` }, { similarity_threshold: ["must be a number from 0 to 1"] }],
    [{ similarity_threshold: "1e" }, { similarity_threshold: ["must be a number from 0 to 1"] }],
    [{ similarity_threshold: "-0.1" }, { similarity_threshold: ["must be at least 0"] }],
    [{ similarity_threshold: "" }, { similarity_threshold: ["must be a number from 0 to 1"] }],
    [{ similarity_threshold: "٠.٥" }, { similarity_threshold: ["must be a number from 0 to 1"] }],
  ])("with %j in a URL is 422 and names the rule", async (query: Query, errors) => {
    const found = await problem(await get(GLOSSARY, { text, ...query }));
    expect([found.status, found.errors]).toEqual([422, errors]);
  });

  test("takes what GET writes as numbers and POST as such", async () => {
    for (const written of ["0.5", ".5", "1", "0", "0.50", "5e-1", "2.5E-309"]) {
      const got = await get(GLOSSARY, { text, similarity_threshold: written, top_k: "7" });
      expect(await got.text()).toBe(
        await (await post(GLOSSARY, { text, similarity_threshold: Number(written), top_k: 7 })).text(),
      );
    }
  });
});
