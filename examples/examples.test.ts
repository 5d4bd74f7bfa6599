import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const ARTICLES = join(ROOT, "examples/push-articles/articles.jsonl");
const SECRET = "whsec";
const dir = mkdtempSync(join(tmpdir(), "isnad-examples-"));
const profiles = join(dir, "profiles");
const children: ChildProcess[] = [];
const env: NodeJS.ProcessEnv = {
  ...process.env,
  DATA_DIR: dir,
  API_PORT: "0",
  LOG_LEVEL: "warn",
  OUTBOX_WEBHOOK_SECRET: SECRET,
  PROFILES_DIR: profiles,
};
let site: Server;
let receiver: Output;

/** What a process writes, and its end. */
type Output = { text: string; said(part: string): Promise<string>; closed: Promise<number | null> };

/** Starts a program of this repository; `said` waits until it has written a part. */
function start(argv: readonly string[], over: NodeJS.ProcessEnv = {}): Output {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: ROOT, env: { ...env, ...over }, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output: Output = {
    text: "",
    closed,
    async said(part) {
      while (!output.text.includes(part)) {
        const next = new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
        const ended = await Promise.race([next.then(() => false), closed.then(() => true)]);
        if (ended && !output.text.includes(part)) throw new Error(`${argv.join(" ")} ended: ${output.text}`);
      }
      return output.text;
    },
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output.text += chunk));
  return output;
}

const bun = (...args: string[]): string[] => [process.execPath, ...args];

/** A news site of one story, as the profile of the example expects it. */
async function startSite(): Promise<Server> {
  const story = `<html lang="en"><head><title>Ferry returns</title></head><body><h1>Ferry returns after the storm</h1>
    <div class="story-text"><p class="advert">Buy a boat</p><p>${"The ferry sails again after three days in the harbour. ".repeat(5)}</p></div></body></html>`;
  const server = createServer((request, response) => {
    const link = `http://${request.headers.host}/news/ferry`;
    const rss = `<rss version="2.0"><channel><title>Harbour News</title><item><title>Ferry returns after the storm</title>
      <link>${link}</link><guid>${link}</guid><pubDate>${new Date().toUTCString()}</pubDate></item></channel></rss>`;
    const page = { "/rss.xml": rss, "/news/ferry": story }[request.url ?? ""];
    const type = request.url === "/rss.xml" ? "application/rss+xml" : "text/html";
    response.writeHead(page === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** The port that a server listens on. */
function portOf(address: unknown): number {
  return Number(Object(address).port);
}

beforeAll(async () => {
  site = await startSite();
  receiver = start(bun("examples/webhook-receiver/main.ts"), { PORT: "0" });
  const listening = await receiver.said("\n");
  const port = portOf(JSON.parse(listening.slice(listening.indexOf("{"), listening.indexOf("}") + 1)));
  Object.assign(env, { OUTBOX_WEBHOOK_URLS: `http://127.0.0.1:${port}/` });
  const origin = `http://127.0.0.1:${portOf(site.address())}`;
  mkdirSync(profiles);
  const profile = readFileSync(join(ROOT, "examples/new-source/harbour-news.json"), "utf8");
  writeFileSync(join(profiles, "harbour-news.json"), profile.replaceAll("https://www.harbour-news.example", origin));
  Object.assign(env, { SCRAPER_ALLOW_PRIVATE_HOSTS: new URL(origin).host });
  await start(bun("cli/up/testing/some-up.ts", "api", "workers")).said("ready api=");
  const { urls, tokens } = JSON.parse(readFileSync(join(dir, "run.json"), "utf8"));
  Object.assign(env, { API_URL: urls.api, INGEST_TOKEN: tokens.ingest });
}, 300_000);

afterAll(async () => {
  site?.close();
  for (const child of children.reverse()) child.kill("SIGTERM");
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((resolve) => child.once("close", resolve))));
  rmSync(dir, { recursive: true, force: true });
}, 300_000);

test("TypeScript pushes articles, the receiver is told of each, and pushing again changes nothing", async () => {
  const first = start(bun("examples/push-articles/main.ts", ARTICLES));
  expect(await first.closed).toBe(0);
  expect(first.text).toMatch(/^pier accepted \d+\nrasif accepted \d+\n$/);
  const [, id = ""] = /pier accepted (\d+)/.exec(first.text) ?? [];
  await receiver.said(`article.upserted ${id} The harbour gets a new pier\n`);
  await receiver.said("رصيف جديد لعبّارة الميناء\n");
  const again = start(bun("examples/push-articles/main.ts", ARTICLES));
  expect(await again.closed).toBe(0);
  expect(again.text).toBe(first.text.replaceAll("accepted", "duplicate"));
}, 300_000);

test("an article with another text is a conflict, and the example says so", async () => {
  const [line = ""] = readFileSync(ARTICLES, "utf8").split("\n");
  const file = join(dir, "changed.jsonl");
  const article = { ...JSON.parse(line), external_id: "mole" };
  const changed = { ...article, content: `${article.content} The council meets again in May.` };
  writeFileSync(file, `${JSON.stringify({ ...article, title: "A mole" })}\n`);
  expect(await start(bun("examples/push-articles/main.ts", file)).closed).toBe(0);
  writeFileSync(file, `${JSON.stringify(changed)}\n`);
  const refused = start(bun("examples/push-articles/main.ts", file));
  expect(await refused.closed).toBe(1);
  expect(refused.text).toStartWith("mole conflict");
}, 300_000);

/** Stands before the api and is busy at the first request, as the api is under load. */
async function startBusy(): Promise<{ url: string; server: Server }> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (asked++ === 0) return void response.writeHead(503, { "retry-after": "0" }).end("{}");
    const { authorization = "" } = request.headers;
    const answer = await fetch(`${env.API_URL}${request.url}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server.address())}`, server };
}

const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) process.stderr.write("examples: python3 is not installed, so that push-articles/main.py is not run\n");

test.skipIf(!python)(
  "Python pushes the same articles",
  async () => {
    const file = join(dir, "python.jsonl");
    writeFileSync(file, readFileSync(ARTICLES, "utf8").replaceAll("pier", "quay").replaceAll("rasif", "rasif-2"));
    const first = start(["python3", "examples/push-articles/main.py", file]);
    expect(await first.closed).toBe(0);
    expect(first.text).toMatch(/^quay accepted \d+\nrasif-2 duplicate \d+\n$/);
    const refused = start(["python3", "examples/push-articles/main.py", ARTICLES], { INGEST_TOKEN: "wrong" });
    expect(await refused.closed).toBe(1);
  },
  300_000,
);

test.each([
  ["TypeScript", bun("examples/push-articles/main.ts", ARTICLES)],
  ...(python ? [["Python", ["python3", "examples/push-articles/main.py", ARTICLES]] as const] : []),
] as const)(
  "%s asks again when the api is busy",
  async (_language, argv) => {
    const { url, server } = await startBusy();
    const pushed = start(argv, { API_URL: url });
    expect(await pushed.closed).toBe(0);
    expect(pushed.text.match(/^\S+ (accepted|duplicate) \d+$/gm)).toHaveLength(2);
    server.close();
  },
  300_000,
);

test.each([
  ["TypeScript", bun("examples/push-articles/main.ts", ARTICLES)],
  ...(python ? [["Python", ["python3", "examples/push-articles/main.py", ARTICLES]] as const] : []),
] as const)("%s says which address does not answer", (_language, [program = "", ...args]) => {
  const API_URL = "http://127.0.0.1:1";
  const { status, stderr } = spawnSync(program, args, { cwd: ROOT, env: { ...env, API_URL }, encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain(`${API_URL} does not answer`);
  expect(stderr).not.toContain("Traceback");
});

test("the receiver refuses a body that is not signed with its secret", async () => {
  const response = await fetch(String(env.OUTBOX_WEBHOOK_URLS), {
    method: "POST",
    headers: { "x-signature": `sha256=${"0".repeat(64)}` },
    body: JSON.stringify({ id: 1, type: "article.upserted", article: { article_id: 1, title: "Forged" } }),
  });
  expect(response.status).toBe(401);
  expect(receiver.text).not.toContain("Forged");
});

test("the profile of a new source crawls its site into the platform", async () => {
  const run = start(bun("cli/main.ts", "scraper:run", "harbour-news", "--json"));
  expect(await run.closed).toBe(0);
  expect(JSON.parse(run.text)).toMatchObject({ status: "succeeded", counts: { extracted: 1, sent: 1, failed: 0 } });
  await receiver.said("Ferry returns after the storm\n");
}, 300_000);
