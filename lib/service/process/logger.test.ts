import { expect, test } from "bun:test";
import { requestLogger } from "../http/context.ts";
import { testService } from "../http/testing.ts";
import { createLogger } from "./logger.ts";

function collect(level?: string) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ service: "s", ...(level !== undefined && { level }), stream }) };
}

test("a line is JSON with its level in words, a UTC time and the service", () => {
  const { lines, logger } = collect();
  logger.info({ count: 3 }, "done");
  expect(lines).toEqual([
    { level: "info", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), service: "s", count: 3, msg: "done" },
  ]);
});

test("lines below the level are not written", () => {
  const { lines, logger } = collect("warn");
  logger.info("no");
  logger.warn("yes");
  expect(lines).toHaveLength(1);
});

test("credentials are redacted at any depth that a header or option may have", () => {
  const { lines, logger } = collect();
  logger.info({ authorization: "hush", headers: { authorization: "hush" }, req: { headers: { "x-api-key": "hush" } } });
  logger.info({ config: { tokens: { ingest: ["hush"] } }, token: "hush" });
  expect(JSON.stringify(lines)).not.toContain("hush");
});

test("how many tokens a text had is shown", () => {
  const { lines, logger } = collect();
  logger.info({ tokens: 12 });
  expect(lines).toMatchObject([{ tokens: 12 }]);
});

test("an error's cause is logged and never sent", async () => {
  const service = testService();
  service.app.get("/boom", () => {
    throw new Error("password of the database");
  });
  const res = await service.app.request("/boom");
  expect(res.status).toBe(500);
  expect(await res.json()).toEqual({
    type: "/errors/internal-error",
    title: "Internal Server Error",
    status: 500,
    detail: "The request could not be completed.",
    instance: "/boom",
  });
  expect(service.lines.at(-1)).toMatchObject({
    level: "error",
    status: 500,
    err: { message: "password of the database" },
  });
});

test("further lines of a request carry its id", async () => {
  const service = testService();
  service.app.get("/more", (c) => {
    requestLogger(c).warn("something");
    return c.text("x");
  });
  await service.app.request("/more", { headers: { "x-request-id": "r-7" } });
  expect(service.lines).toMatchObject([
    { msg: "something", request_id: "r-7" },
    { msg: "request", request_id: "r-7", status: 200 },
  ]);
});

test("probes and scrapes are logged at level debug", async () => {
  const service = testService();
  for (const path of ["/livez", "/health", "/metrics"]) await service.app.request(path);
  expect(service.lines.map((line) => line.level)).toEqual(["debug", "debug", "debug"]);
});

test("an address in a field or an error is logged without its credentials", () => {
  const { lines, logger } = collect();
  const cause = new Error("refused by http://huda:hush@a.test");
  logger.warn({ url: "https://u:hush@a.test/x?token=hush", err: new Error("lost redis://:hush@b", { cause }) }, "away");
  expect(JSON.stringify(lines)).not.toContain("hush");
  expect(lines[0]).toMatchObject({ url: "https://a.test/x?token=-", err: { type: "Error" } });
});
