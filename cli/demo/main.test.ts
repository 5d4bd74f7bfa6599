import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyse, type QueryWord, queryWords } from "@isnad/lib/text";
import { freePort } from "../../lib/std/ports.ts";
import { until } from "../../lib/std/testing-until.ts";
import { DEMO_SOURCE, searches, startStack, writeProfiles } from "./main.ts";
import { type DemoArticle, readNewsroom } from "./site.ts";

describe("demo", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-demo-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const running = () => JSON.parse(readFileSync(join(dir, "run.json"), "utf8"));
  const isDatabaseUp = () => existsSync(join(dir, "postgres", "cluster", "postmaster.pid"));
  let workersPort = 0;
  beforeAll(async () => {
    workersPort = await freePort();
  });
  const opened = join(dir, "opened");
  const browser = join(dir, "browser");
  writeFileSync(browser, `#!/bin/sh\necho "$1" >> "${opened}"\n`, { mode: 0o755 });

  /** Runs the demo as its command does, on free ports. */
  function runDemo(...argv: string[]) {
    return runDemoOn(dir, ...argv);
  }

  function runDemoOn(dataDir: string, ...argv: string[]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        API_PORT: "0",
        RETRIEVAL_PORT: "0",
        SCRAPER_PORT: "0",
        EDGE_PORT: "0",
        NLP_PORT: "0",
        DEMO_SITE_PORT: "0",
        WORKERS_PORT: String(workersPort),
        DEMO_EXIT: undefined,
        BROWSER: browser,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, both] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
      both += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (both += chunk));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, printed: () => out, out: () => both };
  }

  test("the demo brings its newsroom in, each search finds its answer first, and everything stops again", async () => {
    const { ended, printed, out } = runDemo("--exit", "--json");
    const code = await ended;
    // What went wrong is said in words; what a slow machine makes it say beside its answer goes to stderr.
    if (!printed().startsWith("{")) expect(out()).toBe("");
    const { searches, answer, summary, chain } = JSON.parse(printed());
    expect(searches.map(({ answer, rank }: { answer: string; rank: number }) => `${rank} ${answer}`)).toEqual([
      "1 central-bank-rate",
      "1 coral-bleaching",
      "1 antibiotic-resistance",
    ]);
    expect(answer.message.content).toMatch(/410 ملايين دينار.*\[\d\]/);
    expect(summary).toMatchObject({
      model: "isnad-extractive",
      summary: expect.stringMatching(/^- Sahlan's main port/),
    });
    type Link = { source_id: string; kind: string; credits: { name: string }[] };
    expect(chain.links.map(({ source_id, kind, credits }: Link) => [source_id, kind, credits[0]?.name])).toEqual([
      ["sahlan-news-agency", "origin", undefined],
      ["sahlan-courier", "copy", "Sahlan News Agency"],
      ["coast-weekly", "partial", "Sahlan News Agency"],
    ]);
    // Two in the end: the demo waits for the first.
    const reporters = chain.reports.map((report: Pick<Link, "source_id">) => report.source_id);
    expect([[...new Set(reporters)], reporters.length <= 2]).toEqual([["almarsa"], true]);
    expect(code).toBe(0);
    expect(existsSync(join(dir, "run.json"))).toBe(false);
    await until("the database has ended", () => !isDatabaseUp());
  }, 300_000);

  test("a second demo on the same data, whose projections were deleted, stays up with its URLs shown until it is interrupted; a third one uses what is up", async () => {
    for (const projection of ["keyword", "vectors"]) rmSync(join(dir, projection), { recursive: true });
    const { child, ended, out } = runDemo();
    const deadline = performance.now() + 240_000;
    while (!out().includes("Ctrl-C stops everything.") && child.exitCode === null && performance.now() < deadline) {
      await Bun.sleep(50);
    }
    expect(out()).toContain("Ctrl-C stops everything.");
    expect(out()).toContain("none of them new, the platform had them all");
    const [, api = ""] = out().match(/(http:\/\/127\.0\.0\.1:\d+)\/v1\/search/) ?? [];
    expect((await fetch(`${api}/api/v1/health`)).status).toBe(200);
    const { urls, pids } = running();
    expect(Object.keys(urls)).toEqual(["api", "retrieval", "nlp", "edge", "scraper"]);
    expect(Object.keys(pids)).toEqual(["up", "api", "workers", "retrieval", "nlp", "edge", "scraper"]);
    expect((await fetch(`http://127.0.0.1:${workersPort}/livez`)).status).toBe(200);
    expect(readFileSync(join(dir, "demo.log"), "utf8")).not.toContain("generated");
    // The desk is said, opened, and has a story on its first page.
    expect(out()).toContain(`The desk, for readers and editors:  ${api}/\n`);
    while (!existsSync(opened) && performance.now() < deadline) await Bun.sleep(20);
    expect(readFileSync(opened, "utf8")).toBe(`${api}/\n`);
    let page = "";
    while (!page.includes('href="/stories/') && performance.now() < deadline) {
      page = await (await fetch(`${api}/`, { headers: { accept: "text/html" } })).text();
      await Bun.sleep(100);
    }
    expect(page).toContain('href="/stories/');
    const docs = Array.from(out().matchAll(/^ {2}(\w+) +(http\S+\/docs)$/gm), ([, name, url]) => ({ name, url }));
    expect(docs.map(({ name }) => name)).toEqual(["api", "retrieval", "nlp", "edge", "scraper"]);
    for (const { url = "" } of docs) expect((await fetch(url)).status).toBe(200);

    const third = runDemo("--json");
    expect(await third.ended).toBe(0);
    expect(JSON.parse(third.out()).searches.map(({ rank }: { rank: number }) => rank)).toEqual([1, 1, 1]);
    expect((await fetch(`${api}/api/v1/health`)).status).toBe(200);

    child.kill("SIGINT");
    expect(await ended).toBe(0);
    await until("the database has ended", () => !isDatabaseUp());
    await expect(fetch(`${api}/api/v1/health`)).rejects.toThrow();
  }, 300_000);

  test("a demo whose data folder cannot be written says so and ends", async () => {
    const file = join(dir, "no-folder");
    writeFileSync(file, "");
    const { ended, out } = runDemoOn(join(file, "data"), "--exit");
    expect(await ended).toBe(1);
    expect(out()).toContain("demo: ENOTDIR");
  });
});

describe("searches", () => {
  const articles = readNewsroom();
  const [byWord, byMeaning, across] = searches;

  function answerOf(slug: string | undefined): DemoArticle {
    const found = articles.find((article) => article.slug === slug);
    if (found === undefined) throw new Error(`no article ${slug}`);
    return found;
  }

  const termsOf = (words: Pick<QueryWord, "terms">[]) =>
    words.flatMap(({ terms }) => [...terms.stems, ...terms.coarse]);
  const asked = (query = "") => [...new Set(termsOf(queryWords(query)))];

  /** The terms of the search that occur in its answer. */
  function shared({ query = "", answer = "" } = {}): string[] {
    const { title, content } = answerOf(answer);
    const terms = new Set(termsOf(analyse(`${title}\n${content}`)));
    return asked(query).filter((term) => terms.has(term));
  }

  test("the search by word asks for words of its answer, by word", () => {
    expect(byWord?.mode).toBe("bm25");
    expect(shared(byWord).length).toBe(asked(byWord?.query).length);
  });

  test("the search by meaning shares fewer than half of its stems with its answer, in the same language", () => {
    expect(byMeaning?.mode).toBe("vector");
    expect(shared(byMeaning).length).toBeLessThan(asked(byMeaning?.query).length / 2);
    expect(answerOf(byMeaning?.answer).lang).toBe("en");
  });

  test("the search across languages is an Arabic question whose answer is there in English alone", () => {
    expect(across?.query).toMatch(/^\p{Script=Arabic}.*؟$/u);
    expect(answerOf(across?.answer).lang).toBe("en");
    expect(shared(across)).toEqual([]);
  });
});

describe("stack", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-demo-stack-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const options = { cwd: dir, env: process.env, logFile: join(dir, "logs", "demo.log") };

  function script(code: string): [string, string, string] {
    return [process.execPath, "-e", code];
  }

  test("the stack is ready once it says so, and ends when it is told to", async () => {
    const stack = startStack(script('console.log("up  starting\\nready api=x"); setInterval(() => {}, 1000)'), options);
    await stack.ready;
    await stack.stop();
    await stack.ended;
    expect(readFileSync(options.logFile, "utf8")).toBe("up  starting\nready api=x\n");
  });

  test("a stack that ends before it was ready is an error that tells its last line", async () => {
    const stack = startStack(
      script('console.log("one"); console.error("port 8080 is in use\\n"); process.exit(1)'),
      options,
    );
    await expect(stack.ready).rejects.toThrow("the stack ended: port 8080 is in use");
    await stack.ended;
  });

  test("a stack that says nothing, or cannot be started, is an error too", async () => {
    await expect(startStack(script(";"), options).ready).rejects.toThrow("ended at once");
    await expect(startStack([join(dir, "absent")], options).ready).rejects.toThrow("cannot be started");
    await Bun.sleep(200);
  });

  test("the stack is told that it is supervised, and its standard input is open", async () => {
    const code = `process.stdin.on("end", () => process.exit()).resume();
    console.log(process.env.ISNAD_SUPERVISED === "1" ? "ready" : "alone")`;
    const stack = startStack(script(code), { ...options, logFile: join(dir, "deep", "er", "x.log") });
    await stack.ready;
    await stack.stop();
    expect(existsSync(join(dir, "deep", "er", "x.log"))).toBe(true);
  });

  test("a log that cannot be written does not take the stack with it", async () => {
    const code = 'console.log("starting"); setTimeout(() => console.log("ready"), 50); setInterval(() => {}, 1000)';
    const stack = startStack(script(code), { ...options, logFile: dir });
    await stack.ready;
    await stack.stop();
  });
});

describe("profiles", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-demo-profiles-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const shipped = join(import.meta.dirname, "../../profiles");

  test("every shipped profile is there, the demo's with the address of the site, and nothing of an earlier run", () => {
    writeFileSync(join(dir, "old.json"), "{}");
    writeProfiles(dir, "http://127.0.0.1:4711");
    expect(readdirSync(dir).sort()).toEqual(readdirSync(shipped).sort());
    expect(existsSync(join(dir, "old.json"))).toBe(false);
    const profile = JSON.parse(readFileSync(join(dir, "demo.json"), "utf8"));
    const addresses: string[] = [profile.source.homepage, profile.feeds[0].url, profile.sitemaps[0].url];
    for (const address of addresses) expect(address).toStartWith("http://127.0.0.1:4711/");
    expect(profile.source.id).toBe(DEMO_SOURCE);
  });
});
