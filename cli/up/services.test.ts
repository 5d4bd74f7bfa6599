import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../lib/std/ports.ts";
import { answers, HEAP_DEFAULTS, missingIn, readCommandLine, services, untilAnswers } from "./services.ts";

test("the command line takes --scale alone, or --help", () => {
  expect(readCommandLine([])).toEqual({});
  expect(readCommandLine(["--scale", "api=2"])).toEqual({ scale: "api=2" });
  expect(readCommandLine(["--scale=api=2"])).toEqual({ scale: "api=2" });
  expect(readCommandLine(["--help"])).toEqual({ help: true });
  for (const wrong of [["--scale"], ["api=2"], ["--scale", "api=2", "more"]]) {
    expect(() => readCommandLine(wrong)).toThrow("up takes --scale");
  }
});

test("asked for help it starts nothing and ends with 0, and after wrong usage with 2", () => {
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], {
      encoding: "utf8",
      env: { ...process.env, DATA_DIR: "/nonexistent/isnad" },
    });
  expect(run("--help")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Usage: bun run up") });
  const wrong = run("--bogus");
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("Try: bun run up --help")]);
});

test("heaps of the linguistic service grow by the same measure alone, under up and in compose", () => {
  const [[name, bytes] = ["", ""]] = Object.entries(HEAP_DEFAULTS);
  const textOf = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
  expect(textOf("package.json")).toContain(`${name}=${bytes} exec bun nlp/linguistic/main.ts`);
  expect(textOf("compose.yaml")).toContain(`${name}: "${bytes}"`);
  expect(services.find((each) => each.name === "nlp")?.defaults).toEqual(HEAP_DEFAULTS);
});

test("only a 2xx answer counts", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response("", { status: Number(new URL(request.url).pathname.slice(1)) }),
  });
  expect(await answers(`http://127.0.0.1:${server.port}/200`)).toBe(true);
  expect(await answers(`http://127.0.0.1:${server.port}/503`)).toBe(false);
  await server.stop(true);
});

test("nobody there, or nobody who speaks, counts as no answer", async () => {
  expect(await answers(`http://127.0.0.1:${await freePort()}/`)).toBe(false);
  const mute = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  expect(await answers(`http://127.0.0.1:${mute.port}/`, 50)).toBe(false);
  await mute.stop(true);
});

test("waiting ends when the service comes up", async () => {
  const port = await freePort();
  const waiting = untilAnswers(`http://127.0.0.1:${port}/`, AbortSignal.timeout(240_000), 5);
  const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response("ok") });
  await waiting;
  await server.stop(true);
});

test("waiting ends when it is told to", async () => {
  const port = await freePort();
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("enough")), 30);
  await expect(untilAnswers(`http://127.0.0.1:${port}/`, stop.signal, 5)).rejects.toThrow("enough");
});

test("a service that is not ready says what it waits for", async () => {
  const body = { deps: { database: "ok", indexes: "fail", models: { a: "fail" }, writes: "fail" } };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return pathname === "/plain" ? new Response("no") : Response.json(body, { status: Number(pathname.slice(1)) });
    },
  });
  const missing = (path: string) => missingIn(`http://127.0.0.1:${server.port}/${path}`);
  expect(await missing("503")).toEqual(["indexes", "writes"]);
  expect(await missing("200")).toEqual([]);
  expect(await missing("plain")).toEqual([]);
  await server.stop(true);
  expect(await missing("503")).toEqual([]);
});
