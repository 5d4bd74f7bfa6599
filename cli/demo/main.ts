import { spawn } from "node:child_process";
import { cpSync, createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import process from "node:process";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  findApi,
  findScraper,
  processIo,
  readRunning,
  runCommand,
  writeJson,
} from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { aborted } from "@isnad/lib/service/process";
import { type DemoSite, readNewsroom, readWire, startSite } from "./site.ts";
import {
  type Crawl,
  createDemoClient,
  type DemoSearch,
  renderAnswer,
  renderChain,
  renderCrawl,
  renderSearch,
  renderSummary,
  runSearches,
  type Shown,
  type Style,
  untilChained,
  untilFound,
} from "./render.ts";

/** The profile that the demo crawls. */
const DEMO_PROFILE = "demo";

/** The source that its articles belong to. */
export const DEMO_SOURCE = "almarsa";

/** Says where the profile looks for the site as it ships. */
const SHIPPED_ORIGIN = "http://127.0.0.1:8790";

const SHIPPED = fileURLToPath(new URL("../../profiles", import.meta.url).href);

/** Copies the shipped profiles to `dir`, the demo's with the address at which its site is served. */
export function writeProfiles(dir: string, origin: string): void {
  rmSync(dir, { recursive: true, force: true });
  cpSync(SHIPPED, dir, { recursive: true });
  const profile = readFileSync(join(SHIPPED, `${DEMO_PROFILE}.json`), "utf8");
  writeFileSync(join(dir, `${DEMO_PROFILE}.json`), profile.replaceAll(SHIPPED_ORIGIN, origin));
}

/** The searches of the demo, in the order in which they are shown. */
export const searches: readonly DemoSearch[] = [
  { caption: "By word", query: "سعر الفائدة", mode: "bm25", answer: "central-bank-rate" },
  {
    caption: "By meaning: the article says it in other words",
    query: "oceans heating up kill sea life",
    mode: "vector",
    answer: "coral-bleaching",
  },
  {
    caption: "Across languages: an Arabic question, an English article",
    query: "لماذا لا تنفع المضادات الحيوية؟",
    mode: "hybrid",
    answer: "antibiotic-resistance",
  },
];

/** The question that the demo asks of the articles. */
const QUESTION = "كم بلغت كلفة الرصيف الجديد في ميناء مرسى نور؟";
/** The article (its external id) that the demo has summarised. */
const SUMMARISED = "port-third-berth";
/** The report whose chain the demo shows, by its source. */
const CHAINED = "sahlan-courier";

/** The stack as a child process: `bun run up`. */
type DemoStack = {
  /** Resolves when every service answers; rejects with CommandError when the stack ends before. */
  ready: Promise<void>;
  /** Resolves when the stack has ended by itself. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts `command` (`bun cli/up/main.ts`), which prints a `ready` line; its output goes to `logFile`. */
export function startStack(
  command: readonly [string, ...string[]],
  { cwd, env, logFile }: { cwd: string; env: Record<string, string | undefined>; logFile: string },
): DemoStack {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const [program, ...args] = command;
  // Supervised: it stops when its standard input closes, so it never outlives the demo, however that ends.
  const child = spawn(program, args, { cwd, env: { ...env, ISNAD_SUPERVISED: "1" }, stdio: ["pipe", "pipe", "pipe"] });
  // A log that cannot be written, on a full disk, is lost; the stack says itself what it cannot do without.
  log.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      if (log.closed) return resolve();
      log.once("close", resolve).end();
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    let last = "";
    const onLine = (line: string) => {
      log.write(`${line}\n`);
      if (line.startsWith("ready")) resolve();
      if (line.trim() !== "") last = line.trim();
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
    child.once("error", (cause) => reject(new CommandError(`the stack cannot be started: ${cause.message}`)));
    child.once("close", () => {
      reject(new CommandError(last === "" ? "the stack ended at once" : `the stack ended: ${last}`));
    });
  });
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url).href);

/** `demo`: the stack, a small newsroom in it, three searches, an answer, a summary and a chain. */
const demo = defineCommand({
  name: "demo",
  summary: "Starts the stack, crawls a small news site, searches, asks, summarises, and shows a chain.",
  positionals: { usage: "", min: 0, max: 0 },
  options: { exit: { kind: "flag", help: "stop after the searches (also with DEMO_EXIT=1)" } },
  details:
    "State lies under DATA_DIR (.data); the log of the services is demo.log there. The desk is opened in the browser, or in the program that BROWSER names. Ctrl-C stops everything.",
  async run({ values }, context) {
    const { env, signal, stdout, json } = context;
    const start = performance.now();
    const since = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const say = (line: string) => void (json || stdout.write(`${line}\n`));
    const { dataDir, demoSitePort } = loadConfig(env);
    const logFile = join(dataDir, "demo.log");
    const articles = readNewsroom();

    const running = await isRunning(dataDir);
    say(running ? "The stack is up already." : `Starting database and services (log: ${logFile}) …`);
    let site: DemoSite | undefined;
    let stack: DemoStack | undefined;
    try {
      // A stack that is up may be another demo's, which serves the site itself.
      site = await startSite(articles, demoSitePort).catch((error: unknown) => {
        if (!running || !(error instanceof CommandError)) throw error;
        return undefined;
      });
      if (!running && site !== undefined) {
        const command = [process.execPath, "cli/up/main.ts"] as const;
        stack = startStack(command, { cwd: ROOT, env: forSite(env, dataDir, site.origin), logFile });
        await untilReady(stack.ready, context, start);
        say(`Up after ${since()}.`);
      }
      const target = await findApi(env);
      const client = createDemoClient(target, await findScraper(env));
      const crawl = await client.crawl(DEMO_PROFILE, signal);
      if (crawl.status === "failed") throw new CommandError(notCrawled(crawl, running));
      say(`Crawled the demo's site after ${since()}: ${renderCrawl(crawl)}.`);
      const ids = await untilFound(client, articles, { source: DEMO_SOURCE, signal });
      say(`${ids.size} articles found by word and by meaning after ${since()}.\n`);
      const wire = readWire();
      const pushed = await client.push(wire);
      const shown = await runSearches(client, searches, ids);
      const answer = await client.ask(QUESTION);
      const { title = "" } = articles.find(({ slug }) => slug === SUMMARISED) ?? {};
      const points = await client.summarize(ids.get(SUMMARISED) ?? 0);
      const chained = pushed[wire.findIndex(({ slug }) => slug === CHAINED)] ?? 0;
      const chain = await untilChained(client, chained, { links: wire.length, signal });
      if (json) writeJson(stdout, { ...summary(shown, performance.now() - start), answer, summary: points, chain });
      else {
        const style = styleOf(context);
        const blocks = [
          ...shown.map(({ search, found }, i) => renderSearch(i + 1, search, found, style)),
          renderAnswer(shown.length + 1, QUESTION, answer, style),
          renderSummary(shown.length + 2, title, points, style),
          renderChain(shown.length + 3, chain, style),
        ];
        stdout.write(blocks.map((block) => `${block}\n`).join(""));
      }
      if (values.exit || /^(1|true)$/.test(env.DEMO_EXIT ?? "")) return shown.every(({ rank }) => rank === 1) ? 0 : 1;
      say(farewell(target.url, readRunning(dataDir).urls));
      openPage(`${target.url}/`, { env, isTerminal: stdout.isTTY === true });
      if (stack === undefined) return 0;
      await Promise.race([aborted(signal), stack.ended]);
      return signal.aborted ? 0 : 1;
    } catch (error) {
      if (signal.aborted) return 0;
      throw error;
    } finally {
      if (signal.aborted) say("\nStopping …");
      await stack?.stop();
      await site?.close();
    }
  },
});

/**
 * Opens a page in the program that `BROWSER` names, or, of somebody at a terminal of a machine with a screen, in the
 * browser that is theirs; says nothing where it cannot.
 */
function openPage(url: string, { env, isTerminal }: { env: CommandContext["env"]; isTerminal: boolean }): void {
  const hasScreen = process.platform === "darwin" || (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? "") !== "";
  const program = env.BROWSER || (process.platform === "darwin" ? "open" : "xdg-open");
  if (!env.BROWSER && !(isTerminal && hasScreen)) return;
  const opener = spawn(program, [url], { stdio: "ignore", detached: true });
  opener.once("error", () => undefined);
  opener.unref();
}

/** Tells whether a stack runs on the data folder and its API answers. */
async function isRunning(dataDir: string): Promise<boolean> {
  const { api } = readRunning(dataDir).urls;
  if (api === undefined) return false;
  try {
    return (await fetch(`${api}/livez`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Returns the environment of a stack whose scraper may reach the site, and has a profile of it. */
function forSite(env: CommandContext["env"], dataDir: string, origin: string): CommandContext["env"] {
  const profiles = join(dataDir, "demo", "profiles");
  writeProfiles(profiles, origin);
  const hosts = [env.SCRAPER_ALLOW_PRIVATE_HOSTS, new URL(origin).host].filter((entry) => entry?.trim());
  return { ...env, PROFILES_DIR: profiles, SCRAPER_ALLOW_PRIVATE_HOSTS: hosts.join(",") };
}

/** Says why the site could not be crawled; a stack that was started without the demo does not know the site. */
function notCrawled({ error }: Crawl, running: boolean): string {
  const why = `the site could not be crawled: ${error ?? "no reason"}`;
  if (!running) return why;
  return `${why}; the stack that is up was not started by a demo: stop it first, or give the demo a DATA_DIR of its own`;
}

/** Waits for the stack while the seconds are counted on a terminal. */
async function untilReady(ready: Promise<void>, { stderr, signal }: CommandContext, start: number): Promise<void> {
  const progress = createProgress(stderr);
  const tick = () => progress.update(0, undefined, `starting … ${((performance.now() - start) / 1000).toFixed(0)} s`);
  const timer = setInterval(tick, 250);
  try {
    await Promise.race([ready, aborted(signal)]);
    signal.throwIfAborted();
  } finally {
    clearInterval(timer);
    progress.clear();
  }
}

function styleOf({ stdout }: CommandContext): Style {
  return { terminal: stdout.isTTY === true, columns: Math.min(100, stdout.columns ?? 100) };
}

function summary(shown: readonly Shown[], tookMs: number): object {
  return {
    seconds: Number((tookMs / 1000).toFixed(3)),
    searches: shown.map(({ search, found, rank }) => ({
      query: search.query,
      mode: search.mode,
      answer: search.answer,
      rank,
      took_ms: found.meta.took_ms,
      hits: found.results.slice(0, 3).map(({ title, lang, score }) => ({ title, lang, score })),
    })),
  };
}

function farewell(api: string, urls: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(urls).map((name) => name.length));
  return [
    `The desk, for readers and editors:  ${api}/`,
    `Search it yourself:  ${api}/v1/search?q=…`,
    "The services, each with its documentation at /docs:",
    ...Object.entries(urls).map(([name, url]) => `  ${name.padEnd(width)}  ${url}/docs`),
    "Tokens and all URLs are in run.json beside the log. Ctrl-C stops everything.",
  ].join("\n");
}

if (import.meta.main) process.exitCode = await runCommand(demo, process.argv.slice(2), processIo());
