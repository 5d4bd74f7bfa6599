import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { testProfile } from "../testing/profiles.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await testScraper();
  scraper.profiles.put(testProfile({ name: "alpha" }));
}, 60_000);
beforeEach(() => {
  scraper.asked.replay.length = 0;
});
afterAll(() => scraper.close());

describe("POST /replay", () => {
  test("answers 202 with what became of the kept articles", async () => {
    scraper.answers.matched = 3;
    const { status, body } = await scraper.post("/replay");
    expect(status).toBe(202);
    expect(body).toEqual({ matched: 3, sent: 3, accepted: 0, duplicate: 3, conflict: 0, failed: 0 });
    expect(scraper.asked.replay).toEqual([expect.objectContaining({ profileId: undefined, sendToApi: true })]);
  });

  test("passes every filter on, times as ISO 8601 in UTC", async () => {
    const made = await scraper.store.scraper.runs.create({ profileId: "alpha", provider: "a", trigger: "api" });
    const runId = "run" in made ? made.run.runId : made.running.runId;
    const { status } = await scraper.post("/replay", {
      profile_id: "alpha",
      run_id: runId,
      since: "2026-01-01T02:00:00+02:00",
      until: "2026-01-31",
      limit: 10,
      send_to_api: false,
    });
    expect(status).toBe(202);
    expect(scraper.asked.replay).toEqual([
      {
        profileId: "alpha",
        runId,
        since: "2026-01-01T00:00:00.000Z",
        until: "2026-01-31T23:59:59.999Z",
        limit: 10,
        sendToApi: false,
      },
    ]);
  });

  test("a profile that is gone is unknown only when no articles of it are kept either", async () => {
    scraper.answers.matched = 2;
    expect((await scraper.post("/replay", { profile_id: "removed" })).status).toBe(202);
    scraper.answers.matched = 0;
    expect((await scraper.post("/replay", { profile_id: "removed" })).status).toBe(404);
    expect((await scraper.post("/replay", { profile_id: "alpha" })).body).toMatchObject({ matched: 0 });
  });

  test("a name that no store can hold is 422, names its field, and nothing is sent", async () => {
    for (const field of ["profile_id", "run_id"]) {
      const { status, body } = await scraper.post("/replay", { [field]: "a\u0000b" });
      expect([status, body.errors]).toEqual([422, { [field]: ["must not have the character U+0000"] }]);
    }
    expect(scraper.asked.replay).toEqual([]);
  });

  test("an unknown run is 404 and nothing is sent", async () => {
    expect((await scraper.post("/replay", { run_id: randomUUID() })).status).toBe(404);
    expect(scraper.asked.replay).toEqual([]);
  });

  test.each([
    [{ profile_id: 1 }, "profile_id"],
    [{ since: "never" }, "since"],
    [{ limit: 0 }, "limit"],
    [{ send_to_api: "no" }, "send_to_api"],
    [{ since: "2026-02-01", until: "2026-01-01" }, "body"],
  ])("%j is 422 and names %s", async (sent, field) => {
    const { status, body } = await scraper.post("/replay", sent);
    expect(status).toBe(422);
    expect(Object.keys(Object(body.errors))).toEqual([field]);
  });
});
