import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { createLimiters, createService } from "@isnad/lib/service/http";
import { type Classifier, createClassifier, InferenceError, NOT_LOADED, openRegistry } from "@isnad/lib/models";
import { classifyMetrics, createLogger, createMetrics } from "@isnad/lib/service/process";
import { addCheckWorthiness, CheckResponse } from "./check-worthiness.ts";
import type { RetrievalDeps } from "../deps.ts";
import { classify } from "../evidence.ts";

let classifier: Classifier;
beforeAll(async () => {
  classifier = await createClassifier({ registry: openRegistry(), timeoutMs: 240_000 });
}, 300_000);
afterAll(() => classifier.close());

function serviceWith(deps: Pick<RetrievalDeps, "classifier">) {
  const config = loadConfig({});
  const metrics = createMetrics();
  const service = createService({
    name: "test",
    version: "0",
    config,
    logger: createLogger({ service: "test", level: "silent" }),
    metrics,
    deps: {},
    classify,
  });
  const limiter = createLimiters(metrics, config.limits)("classify", config.limits.classify);
  addCheckWorthiness(service.app, { ...deps, limiter, measured: { classified: classifyMetrics(metrics) } });
  return async (body: unknown, path = "/s1/check-worthiness") => {
    const response = await service.app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    return { status: response.status, body: answer };
  };
}

const ask = (body: unknown, path?: string) => serviceWith({ classifier: { model: classifier } })(body, path);
const scored = async (body: unknown, path?: string) => {
  const answer = await ask(body, path);
  expect(answer.status).toBe(200);
  return CheckResponse.parse(answer.body);
};

const CLAIM = "Unemployment fell to 3.9 percent in May, the lowest rate in eighteen years.";
const REPORTED = "The minister said on Monday that the government had spent 40 million dollars on the new road.";
const PROMISED = "The minister said on Monday that the government would spend 40 million dollars on the new road.";
const THANKS = "Thank you very much.";

describe("POST /s1/check-worthiness", () => {
  test("scores sentences in their order, and tells model and threshold", async () => {
    const { results, model_id, threshold_used } = await scored({ sentences: [THANKS, CLAIM, THANKS] });
    expect(results.map(({ sentence }) => sentence)).toEqual([THANKS, CLAIM, THANKS]);
    expect(results.map(({ is_checkworthy }) => is_checkworthy)).toEqual([false, true, false]);
    expect(model_id).toBe(classifier.modelId);
    expect(threshold_used).toBe(classifier.threshold("en"));
  });

  test("a text is split into sentences, each as it stands in the text", async () => {
    const { results } = await scored({ text: `  ${THANKS} ${CLAIM}\n\nشكراً لكم. ` });
    expect(results.map(({ sentence }) => sentence)).toEqual([THANKS, CLAIM, "شكراً لكم."]);
  });

  test("/s1/score is the same", async () => {
    const body = { text: `${CLAIM} ${THANKS}` };
    expect(await scored(body, "/s1/score")).toEqual(await scored(body));
  });

  test("the threshold decides, at both of its ends", async () => {
    const worthy = async (threshold: number) => {
      const { results, threshold_used } = await scored({ sentences: [CLAIM, THANKS, ""], threshold });
      expect(threshold_used).toBe(threshold);
      for (const { score, is_checkworthy } of results) expect(is_checkworthy).toBe(score >= threshold);
      return results.filter(({ is_checkworthy }) => is_checkworthy).length;
    };
    expect(await worthy(0)).toBe(3);
    expect(await worthy(1)).toBe(0);
  });

  test("without a threshold it is that of the language asked for, or of most letters", async () => {
    const used = async (body: object) => (await scored(body)).threshold_used;
    expect(await used({ sentences: [CLAIM], lang: "ar" })).toBe(classifier.threshold("ar"));
    expect(await used({ sentences: ["ارتفعت الأسعار بنسبة كبيرة هذا العام", "OK"] })).toBe(classifier.threshold("ar"));
    expect(await used({ sentences: ["42 %"] })).toBe(classifier.threshold("en"));
  });

  test("the genre chooses what judges the sentences; without one they are of a debate", async () => {
    const sentences = [REPORTED, PROMISED];
    const judged = async (genre?: string) => {
      const { results, threshold_used } = await scored({ sentences, ...(genre !== undefined && { genre }) });
      return { worthy: results.map(({ is_checkworthy }) => is_checkworthy), threshold_used };
    };
    expect(await judged("news")).toEqual({
      worthy: [true, false],
      threshold_used: classifier.threshold("en", "news"),
    });
    const debate = { worthy: [true, true], threshold_used: classifier.threshold("en", "debate") };
    expect(await judged("debate")).toEqual(debate);
    expect(await judged()).toEqual(debate);
  });

  test("a text of the news is judged sentence by sentence as such, at the threshold that is asked for", async () => {
    const { results, threshold_used } = await scored({
      text: `${REPORTED} ${PROMISED}`,
      genre: "news",
      threshold: 0.5,
    });
    expect(results.map(({ is_checkworthy }) => is_checkworthy)).toEqual([true, false]);
    expect(threshold_used).toBe(0.5);
    expect(results).toEqual((await scored({ sentences: [REPORTED, PROMISED], genre: "news", threshold: 0.5 })).results);
  });

  test("null is the same as missing", async () => {
    const { results } = await scored({ text: null, sentences: [CLAIM], lang: null, genre: null, threshold: null });
    expect(results).toHaveLength(1);
  });

  test("requests at the same time get what each gets alone", async () => {
    const bodies = [{ sentences: [CLAIM] }, { sentences: [THANKS, CLAIM] }, { text: `${THANKS} مرحباً بكم جميعاً.` }];
    const alone: CheckResponse[] = [];
    for (const body of bodies) alone.push(await scored(body));
    const together = await Promise.all(bodies.map((body) => scored(body)));
    for (const [i, { results }] of together.entries()) {
      for (const [j, { score }] of results.entries()) expect(score).toBeCloseTo(alone[i]?.results[j]?.score ?? -1, 5);
    }
  });

  const answered: Record<string, unknown> = {
    "an empty sentence": [""],
    "one character": ["a"],
    "2,000 characters": ["ب".repeat(2000)],
    "2,000 characters beyond the basic plane": ["😀".repeat(2000)],
    "mixed scripts": ["قمة G20 في 東京"],
    "right-to-left marks": ["\u200f\u202bنعم\u202c"],
    "control characters": ["\u0000\u001b[31m"],
    "an unknown language": ["Das Wetter ist schön."],
    "256 sentences": new Array(256).fill("Yes."),
  };
  for (const [kind, sentences] of Object.entries(answered)) {
    test(`${kind}: answered`, async () => {
      for (const { score } of (await scored({ sentences })).results) expect(score).toBeWithin(0, 1.000001);
    });
  }

  test("a text without a sentence gives no results", async () => {
    for (const text of [" ", "😀", "\u200f", "..."]) expect((await scored({ text })).results).toEqual([]);
  });

  test("a sentence of a text may be longer than one of `sentences`", async () => {
    expect((await scored({ text: "word ".repeat(4000) })).results).toHaveLength(1);
  });

  const refused: Record<string, [unknown, string]> = {
    "neither text nor sentences": [{}, "body"],
    "both text and sentences": [{ text: CLAIM, sentences: [CLAIM] }, "body"],
    "no sentence": [{ sentences: [] }, "sentences"],
    "257 sentences": [{ sentences: new Array(257).fill("Yes.") }, "sentences"],
    "a sentence of 2,001 characters": [{ sentences: [CLAIM, "x".repeat(2001)] }, "sentences.1"],
    "a sentence of 20,000 characters": [{ sentences: ["x".repeat(20_000)] }, "sentences.0"],
    "a sentence that is no string": [{ sentences: [1] }, "sentences.0"],
    "an empty text": [{ text: "" }, "text"],
    "a text of 20,001 characters": [{ text: "x".repeat(20_001) }, "text"],
    "a text of 257 sentences": [{ text: "Yes. ".repeat(257) }, "text"],
    "a language that the model does not know": [{ sentences: [CLAIM], lang: "fr" }, "lang"],
    "a genre that the model does not know": [{ sentences: [CLAIM], genre: "poetry" }, "genre"],
    "a genre in capitals": [{ sentences: [CLAIM], genre: "News" }, "genre"],
    "a genre that is no string": [{ sentences: [CLAIM], genre: 1 }, "genre"],
    "a threshold above 1": [{ sentences: [CLAIM], threshold: 1.01 }, "threshold"],
    "a threshold that is no number": [{ sentences: [CLAIM], threshold: "0.5" }, "threshold"],
  };
  for (const [kind, [body, field]] of Object.entries(refused)) {
    test(`${kind}: 422 naming ${field}`, async () => {
      const answer = await ask(body);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    });
  }

  test("what is no JSON is a 400", async () => {
    expect((await ask("{")).status).toBe(400);
  });
});

describe("a model that cannot be used", () => {
  test("missing or altered: 503 that says what to do", async () => {
    for (const path of ["/s1/check-worthiness", "/s1/score"]) {
      const { status, body } = await serviceWith({ classifier: NOT_LOADED })({ sentences: [CLAIM] }, path);
      expect(status).toBe(503);
      expect(body).toMatchObject({ type: "/errors/model-not-installed" });
      expect(body.detail).toContain("bun run models");
    }
  });

  test("a full queue: 503 that asks to come back", async () => {
    const busy = async () => {
      throw new InferenceError("queue-full", "2048 are waiting");
    };
    const { status, body } = await serviceWith({
      classifier: { model: { classify: busy, threshold: () => 0.5, modelId: "busy@1" } },
    })({ sentences: [CLAIM] });
    expect(status).toBe(503);
    expect(body).toMatchObject({ type: "/errors/service-unavailable" });
  });
});
