import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Answer, chatStream, serveUpstream, type TestUpstream } from "@isnad/lib/answers/testing";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

setDefaultTimeout(300_000);

const TEXT = "The ferry to Noma sank on Monday in calm water. All passengers were saved by fishermen.";
const POINTS = ["The ferry to Noma sank on Monday in calm water."];

/** An edge worker on loopback, and what it was asked. */
let edge: ReturnType<typeof Bun.serve>;
let answer: () => Response;
let asked: { body: unknown; headers: Headers }[];
let api: TestApi;
const open: { close(): Promise<void> }[] = [];

const built = () => Response.json({ ok: true, model: "isnad-extractive", points: POINTS, target_lang: "en" });
const edgeEnv = () => ({ EDGE_URL: `http://127.0.0.1:${edge.port}`, EDGE_API_KEY: "edge-secret" });

beforeAll(async () => {
  edge = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      asked.push({ body: await request.json(), headers: request.headers });
      return answer();
    },
  });
  api = await testApi({ ...edgeEnv(), SUMMARIZE_RATE_PER_MIN: "1000" });
});
beforeEach(() => {
  asked = [];
  answer = built;
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(async () => {
  await api.close();
  await edge.stop(true);
});

const post = async (
  { app }: Pick<TestApi, "app">,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  await app.request("/api/ai/summarize", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** The API with upstreams as the environment says. */
async function apiWith(env: Record<string, string>): Promise<TestApi> {
  const made = await testApi({ ...edgeEnv(), PUBLIC_BASE_URL: "https://isnad.test/base", ...env });
  open.push(made);
  return made;
}

async function upstreamOf(reply: Answer): Promise<TestUpstream> {
  const upstream = await serveUpstream(reply);
  open.push(upstream);
  return upstream;
}

const says =
  (...texts: string[]): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end(chatStream(texts));
const refuses =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('{"error":{"message":"no such thing sk-gate"}}');

const gatewayAt = (upstream: TestUpstream) => ({
  AI_GATEWAY_URL: upstream.url,
  AI_GATEWAY_API_KEY: "sk-gate",
  AI_GATEWAY_MODEL: "news-summary",
});
const strategy = (response: Response) => response.headers.get("x-ai-strategy");

describe("POST /api/ai/summarize without any setting", () => {
  test("is the built-in summary, by the strategy provider", async () => {
    const response = await post(api, { text: TEXT, length: "short" }, { "x-request-id": "r-7" });
    expect([response.status, strategy(response)]).toEqual([200, "provider"]);
    expect(await bodyOf(response)).toEqual({
      summary: POINTS[0],
      target_lang: "en",
      length: "short",
      format: "paragraph",
      model: "isnad-extractive",
    });
    expect(asked[0]?.body).toEqual({ text: TEXT, length: "short" });
    expect(asked[0]?.headers.get("x-api-key")).toBe("edge-secret");
    expect(asked[0]?.headers.get("x-request-id")).toBe("r-7");
  });

  test("bullets come as a list and as lines", async () => {
    answer = () => Response.json({ ok: true, model: "m", points: ["أ.", "ب."], target_lang: "ar" });
    const body = await bodyOf(await post(api, { text: "نص", target_lang: "ar", format: "bullets" }));
    expect(body).toMatchObject({ summary: "- أ.\n- ب.", bullets: ["أ.", "ب."], length: "medium", format: "bullets" });
  });

  test("a language that no model reaches is 503 by the route's own type, and says what is missing", async () => {
    const reason = "No model for this is installed: summaries in Arabic.";
    answer = () => Response.json({ type: "/errors/model-not-installed", detail: reason }, { status: 503 });
    const response = await post(await apiWith({}), { text: TEXT, target_lang: "ar" });
    expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
    expect(await bodyOf(response)).toEqual({
      type: "https://isnad.test/base/problems/service-unavailable",
      title: "Service Unavailable",
      status: 503,
      detail: "The summarization service is currently experiencing issues.",
      instance: "/api/ai/summarize",
      reason,
    });
  });

  test("an edge worker that is away is 503 and no more is said", async () => {
    const lost = await apiWith({ EDGE_URL: "http://127.0.0.1:1" });
    const response = await post(lost, { text: TEXT });
    expect([response.status, response.headers.has("retry-after")]).toEqual([503, true]);
    expect((await bodyOf(response)).detail).toBe("The summarization service is currently experiencing issues.");
  });
});

describe("the strategies", () => {
  test("a gateway is asked first, by its alias", async () => {
    const gateway = await upstreamOf(says("A ferry sank.\n", "All were saved."));
    const response = await post(await apiWith(gatewayAt(gateway)), { text: TEXT, target_lang: "en" });
    expect(strategy(response)).toBe("gateway");
    expect(await bodyOf(response)).toMatchObject({ summary: "A ferry sank. All were saved.", model: "news-summary" });
    expect(JSON.parse(String(gateway.seen[0]?.body)).model).toBe("news-summary");
    expect(gateway.seen[0]?.headers.authorization).toBe("Bearer sk-gate");
    expect(asked).toEqual([]);
  });

  test("an alias that is unknown to the gateway leads to the vendor's name", async () => {
    const gateway = await upstreamOf((response, seen, n) =>
      JSON.parse(String(seen.body)).model === "news-summary"
        ? refuses(404)(response, seen, n)
        : says("A ferry sank.")(response, seen, n),
    );
    const env = { ...gatewayAt(gateway), AI_GATEWAY_VENDOR_MODEL: "vendor/large" };
    const response = await post(await apiWith(env), { text: TEXT });
    expect([response.status, strategy(response)]).toEqual([200, "gateway_fallback"]);
    expect((await bodyOf(response)).model).toBe("vendor/large");
  });

  test.each([400, 401, 403, 404])("a vendor or a provider that answers %i leads to the edge worker", async (status) => {
    const vendor = await upstreamOf((response, seen, n) =>
      refuses(JSON.parse(String(seen.body)).model === "news-summary" ? 404 : status)(response, seen, n),
    );
    const provider = await upstreamOf(refuses(status));
    for (const env of [
      { ...gatewayAt(vendor), AI_GATEWAY_VENDOR_MODEL: "vendor/large" },
      { LLM_URL: provider.url, LLM_MODEL: "m", LLM_API_KEY: "sk-gate" },
    ]) {
      const made = await apiWith(env);
      const response = await post(made, { text: TEXT });
      expect([response.status, strategy(response)]).toEqual([200, "edge_fallback"]);
      expect((await bodyOf(response)).model).toBe("isnad-extractive");
      expect(JSON.stringify(made.lines)).not.toContain("sk-gate");
    }
  });

  test("without a gateway the provider is called", async () => {
    const provider = await upstreamOf(says("غرقت عبارة."));
    const made = await apiWith({ LLM_URL: provider.url, LLM_MODEL: "m" });
    const response = await post(made, { text: TEXT, target_lang: "ar" });
    expect([response.status, strategy(response)]).toEqual([200, "provider"]);
    expect(await bodyOf(response)).toMatchObject({ summary: "غرقت عبارة.", target_lang: "ar", model: "m" });
  });

  test("an upstream that fails twice is 503, once is not noticed", async () => {
    const failing = await upstreamOf(refuses(500));
    const response = await post(await apiWith(gatewayAt(failing)), { text: TEXT });
    expect([response.status, failing.seen.length]).toEqual([503, 2]);
    expect(await response.text()).not.toMatch(/sk-gate|no such thing/);
    const shaky = await upstreamOf((res, seen, n) => (n === 1 ? refuses(500) : says("Yes."))(res, seen, n));
    expect((await post(await apiWith(gatewayAt(shaky)), { text: TEXT })).status).toBe(200);
    expect(asked).toEqual([]);
  });

  test("one that is busy twice is 503 with the time that it asks for", async () => {
    const busy = await upstreamOf(refuses(429, { "retry-after": "1" }));
    const response = await post(await apiWith(gatewayAt(busy)), { text: TEXT });
    expect([response.status, response.headers.get("retry-after"), busy.seen.length]).toEqual([503, "1", 2]);
  });

  test("one that sends nothing is 503 when its time is up", async () => {
    const silent = await upstreamOf(() => {});
    const env = { ...gatewayAt(silent), LLM_FIRST_BYTE_TIMEOUT_MS: "60" };
    expect((await post(await apiWith(env), { text: TEXT })).status).toBe(503);
  });
});

describe("a bad request", () => {
  test.each([
    [{}, "text"],
    [{ text: "" }, "text"],
    [{ text: " \n" }, "text"],
    [{ text: "x".repeat(50_001) }, "text"],
    [{ text: "a", target_lang: "fr" }, "target_lang"],
    [{ text: "a", length: "tiny" }, "length"],
    [{ text: "a", format: "poem" }, "format"],
  ])("is 422 by the route's own type and names the field (%#)", async (body, field) => {
    const response = await post(api, body);
    expect(response.status).toBe(422);
    const problem = await bodyOf(response);
    expect(problem).toMatchObject({
      type: expect.stringMatching(/^http:\/\/.+\/problems\/validation-error$/),
      title: "Validation Error",
      status: 422,
      detail: "One or more fields contain invalid values.",
      instance: "/api/ai/summarize",
    });
    expect(Object.keys(Object(problem.errors))).toEqual([field]);
    expect(asked).toEqual([]);
  });

  test("of broken JSON is 400, of another type 415, by another method 405", async () => {
    expect((await post(api, "{")).status).toBe(400);
    expect((await post(api, "a", { "content-type": "text/plain" })).status).toBe(415);
    const got = await api.app.request("/api/ai/summarize");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("the rate limit", () => {
  test("is 429 by the route's own type, with the time to wait; a refused body counts, too", async () => {
    const made = await apiWith({ SUMMARIZE_RATE_PER_MIN: "2" });
    expect((await post(made, { text: TEXT })).status).toBe(200);
    expect((await post(made, {})).status).toBe(422);
    const response = await post(made, { text: TEXT });
    expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await bodyOf(response)).toEqual({
      type: "https://isnad.test/base/problems/rate-limit-exceeded",
      title: "Rate Limit Exceeded",
      status: 429,
      detail: "Rate limit exceeded. Please retry later.",
      instance: "/api/ai/summarize",
    });
  });

  test("is that of the key where keys are needed; a wrong key is 401 and counts for nobody", async () => {
    const made = await apiWith({ SUMMARIZE_RATE_PER_MIN: "1", API_PUBLIC_KEYS: "key-a,key-b" });
    const statusOf = async (key: string) => (await post(made, { text: TEXT }, { "x-api-key": key })).status;
    expect(await statusOf("key-x")).toBe(401);
    expect(await Promise.all(["key-a", "key-b"].map(statusOf))).toEqual([200, 200]);
    expect(await statusOf("key-a")).toBe(429);
    expect(JSON.stringify(made.lines)).not.toMatch(/key-[abx]/);
  });
});
