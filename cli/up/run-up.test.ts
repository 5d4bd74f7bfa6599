import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "@isnad/lib/store/testing";
import { prepareDataFolder, readScale } from "./run-up.ts";

const database = await testDatabase();
const folders: string[] = [];
const running: { kill(signal: "SIGTERM"): void; exited: Promise<number> }[] = [];

/** Starts `up` over one fake service as a process of its own. */
function start(dataDir: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, "testing/fake-up.ts")], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: dataDir, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let out = "";
  const reading = (async () => {
    for await (const chunk of child.stdout) out += new TextDecoder().decode(chunk);
  })();
  const started = {
    child,
    out: () => out,
    async said(words: string): Promise<void> {
      const deadline = performance.now() + 120_000;
      while (!out.includes(words)) {
        if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no "${words}" in: ${out}`);
        await Bun.sleep(10);
      }
    },
    async end(): Promise<{ code: number; out: string; err: string }> {
      const code = await child.exited;
      const err = await new Response(child.stderr).text();
      await reading;
      return { code, out, err };
    },
  };
  running.push(child);
  return started;
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "isnad-up-"));
  folders.push(dir);
  return dir;
}

function runInfo(dir: string) {
  return JSON.parse(readFileSync(join(dir, "run.json"), "utf8"));
}

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGTERM");
    await child.exited;
  }
});

afterAll(async () => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
  await database.drop();
});

test("it says ready with the URLs, keeps run.json private, and takes it away at the end", async () => {
  const dir = folder();
  const up = start(dir, { PORT: "1", INGEST_TOKEN: "mine,old" });
  await up.said("ready fake=");
  const info = runInfo(dir);
  expect(statSync(join(dir, "run.json")).mode & 0o777).toBe(0o600);
  expect(up.out()).toContain(`ready fake=${info.urls.fake}\n`);
  expect(info.tokens).toEqual({
    ingest: "mine",
    metrics: expect.stringMatching(/.{20}/),
    scraper: expect.stringMatching(/.{20}/),
    edge: expect.stringMatching(/.{20}/),
    internal: expect.stringMatching(/.{20}/),
  });
  const answer = await (await fetch(info.urls.fake)).json();
  expect(answer).toEqual({ pid: info.pids.fake, supervised: "1", port: null, dataDir: dir });
  expect(info.pids.up).toBe(up.child.pid);
  up.child.kill("SIGTERM");
  const { code, out } = await up.end();
  expect(code).toBe(0);
  expect(out).toEndWith("stopped\n");
  expect(existsSync(join(dir, "run.json"))).toBe(false);
  await expect(fetch(info.urls.fake)).rejects.toThrow();
});

test("a closed terminal stops it like any other signal: nothing is left running, nor run.json", async () => {
  const dir = folder();
  const up = start(dir);
  await up.said("ready");
  const { urls } = runInfo(dir);
  up.child.kill("SIGHUP");
  expect((await up.end()).code).toBe(0);
  expect(existsSync(join(dir, "run.json"))).toBe(false);
  await expect(fetch(urls.fake)).rejects.toThrow();
});

test("generated tokens are shown at the first start only, and those from the environment never", async () => {
  const dir = folder();
  const first = start(dir, { METRICS_TOKEN: "from-outside" });
  await first.said("ready");
  const { tokens } = runInfo(dir);
  expect(first.out()).toContain(`INGEST_TOKEN=${tokens.ingest}`);
  expect(first.out()).not.toContain("METRICS_TOKEN");
  first.child.kill("SIGINT");
  expect((await first.end()).code).toBe(0);
  const second = start(dir, { METRICS_TOKEN: "from-outside" });
  await second.said("ready");
  expect(second.out()).not.toContain("INGEST_TOKEN");
  expect(runInfo(dir).tokens).toEqual(tokens);
});

test("a second one on the same folder says that one is running, exits 1 and disturbs nothing", async () => {
  const dir = folder();
  const up = start(dir);
  await up.said("ready");
  const before = runInfo(dir);
  const { code, err } = await start(dir).end();
  expect(code).toBe(1);
  expect(err).toBe(`already running on ${dir} ${before.urls.fake}\n`);
  expect(runInfo(dir)).toEqual(before);
});

test("an engine that cannot be reached is one line and exit code 1, before anything is made", async () => {
  const dir = join(folder(), "data");
  const { code, err } = await start(dir, { OPENSEARCH_URL: "http://127.0.0.1:1" }).end();
  expect(code).toBe(1);
  expect(err).toMatch(/^OPENSEARCH_URL: .* cannot be reached.*\n$/);
  expect(existsSync(dir)).toBe(false);
});

test("after a kill of the supervisor its services end, and the next one starts over what was left", async () => {
  const dir = folder();
  const killed = start(dir);
  await killed.said("ready");
  const { urls } = runInfo(dir);
  killed.child.kill("SIGKILL");
  await killed.child.exited;
  expect(existsSync(join(dir, "run.json"))).toBe(true);
  while (await fetch(urls.fake).catch(() => null)) await Bun.sleep(10);
  const next = start(dir);
  await next.said("ready");
  expect(runInfo(dir).pids.up).toBe(next.child.pid);
});

test("run.json follows a service that was killed and came back", async () => {
  const dir = folder();
  const up = start(dir);
  await up.said("ready");
  const { pids } = runInfo(dir);
  process.kill(pids.fake, "SIGKILL");
  await up.said("fake was ended by SIGKILL and is started again");
  while (runInfo(dir).pids.fake === pids.fake) await Bun.sleep(10);
  while (!(await fetch(runInfo(dir).urls.fake).catch(() => null))) await Bun.sleep(10);
});

test("several processes of a service stand behind its one port, and each can be killed without a failed request", async () => {
  const dir = folder();
  const up = start(dir, { UP_SCALE: "fake=2" });
  await up.said("ready");
  const { urls, pids } = runInfo(dir);
  expect(Object.keys(pids)).toEqual(["up", "fake-1", "fake-2"]);
  const answer = async () => {
    const { pid }: { pid: number } = Object(await (await fetch(urls.fake)).json());
    return pid;
  };
  const seen = new Set<number>();
  // That the second is ready is noticed within a quarter of a second.
  while (seen.size < 2) for (const pid of await Promise.all(Array.from({ length: 6 }, answer))) seen.add(pid);
  expect(seen).toEqual(new Set([pids["fake-1"], pids["fake-2"]]));
  process.kill(pids["fake-1"], "SIGKILL");
  for (let i = 0; i < 20; i++) expect(await answer()).toBeNumber();
  while (runInfo(dir).pids["fake-1"] === pids["fake-1"]) await Bun.sleep(10);
  up.child.kill("SIGTERM");
  expect((await up.end()).code).toBe(0);
  await expect(fetch(urls.fake)).rejects.toThrow();
});

test("SIGUSR2 starts every process anew, one after another, and no request fails meanwhile", async () => {
  const dir = folder();
  const up = start(dir, { UP_SCALE: "fake=2" });
  await up.said("ready");
  const { urls, pids } = runInfo(dir);
  let over = false;
  const asking = (async () => {
    let answers = 0;
    while (!over) {
      const response = await fetch(urls.fake, { method: "POST", body: "{}" });
      if (!response.ok) throw new Error(`answered ${response.status}`);
      await response.json();
      answers++;
    }
    return answers;
  })();
  up.child.kill("SIGUSR2");
  await up.said("every process was started anew");
  over = true;
  expect(await asking).toBeGreaterThan(0);
  const after = runInfo(dir).pids;
  expect(after.up).toBe(pids.up);
  for (const name of ["fake-1", "fake-2"]) expect(after[name]).not.toBe(pids[name]);
});

test("a scale that names no service is one clear line and exit code 1", async () => {
  const { code, err } = await start(folder(), { UP_SCALE: "web=2" }).end();
  expect([code, err]).toEqual([1, "--scale: there is no service web; there are fake\n"]);
});

test("a data folder that cannot be made is one clear line and exit code 1", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  const { code, err } = await start(join(dir, "file", "data")).end();
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(err).toContain(join(dir, "file"));
});

test("wrong settings are named together, and nothing is started", async () => {
  const dir = folder();
  const { code, out, err } = await start(dir, { API_PORT: "many", LOG_LEVEL: "loud" }).end();
  expect(code).toBe(1);
  expect(err).toContain("API_PORT");
  expect(err).toContain("LOG_LEVEL");
  expect(out).toBe("");
});

test("tokens that a production misses are named together, and nothing is started", async () => {
  const dir = folder();
  const { code, out, err } = await start(dir, { APP_ENV: "production", METRICS_TOKEN: "given" }).end();
  expect(code).toBe(1);
  expect(err.match(/[A-Z_]+(?= must be set when APP_ENV is production)/g)).toEqual([
    "INGEST_TOKEN",
    "SCRAPER_TOKEN",
    "EDGE_API_KEY",
  ]);
  expect(out).toBe("");
});

test("a database that is not there is one clear line and exit code 1", async () => {
  const { code, err } = await start(folder(), { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }).end();
  expect(code).toBe(1);
  expect(err).toBe("the database cannot be reached (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1\n");
});

test("an address that is not of this machine is one clear line and exit code 1", async () => {
  const { code, err } = await start(folder(), { HOST: "192.0.2.1" }).end();
  expect([code, err]).toEqual([1, "nothing can listen on HOST 192.0.2.1: EADDRNOTAVAIL\n"]);
});

const dir = mkdtempSync(join(tmpdir(), "isnad-folder-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("the folder is made with its parents, and nothing is left in it", () => {
  const made = join(dir, "a", "b");
  prepareDataFolder(made);
  prepareDataFolder(made);
  expect(readdirSync(made)).toEqual([]);
});

test("a file in its place, or in its path, is named", () => {
  const file = join(dir, "file");
  writeFileSync(file, "");
  expect(() => prepareDataFolder(file)).toThrow(`DATA_DIR ${file} cannot be written: there is a file of that name`);
  expect(() => prepareDataFolder(join(file, "data"))).toThrow("a part of the path is a file");
});

const SERVICES = ["api", "workers", "retrieval"];

test("services that are not named get one process", () => {
  expect(readScale("", SERVICES)).toEqual(new Map(SERVICES.map((name) => [name, 1])));
  expect(readScale("workers=2, retrieval=3", SERVICES).get("retrieval")).toBe(3);
  expect(readScale("workers=2", SERVICES).get("api")).toBe(1);
});

test.each(["web=2", "api", "api=0", "api=-1", "api=1.5", "api=33", "api=2=3", ","])("%p is refused", (text) => {
  expect(() => readScale(text, SERVICES)).toThrow("--scale");
});
