import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { spawnService } from "@isnad/lib/service/process/testing";

const MAIN = new URL("main.ts", import.meta.url);
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-nlp-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the linguistic service starts alone without settings, answers, and stops in order", async () => {
  const service = spawnService(MAIN, { DATA_DIR: dir, NLP_PORT: "0" });
  const { url } = await service.said("the linguistic service is listening");
  const answer = await fetch(`${url}/morph?${new URLSearchParams({ text: "الكتب", task: "root" })}`);
  expect(await answer.json()).toEqual({ tokens: [{ token: "الكتب", start: 0, end: 5, root: "ك ت ب" }] });
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
}, 300_000);
