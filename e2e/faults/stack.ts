import { seeded } from "../../lib/std/random.ts";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { IngestResponse, type IngestResult } from "@isnad/lib/contract";

/** Holds what `run.json` says. */
type RunInfo = { urls: Record<string, string>; tokens: { ingest: string }; pids: Record<string, number> };

/** A stack under trial, run by `bun run up` in a process of its own. */
export type Stack = {
  dataDir: string;
  /** The last thing `run.json` said. */
  info(): RunInfo;
  /** Kills the supervisor, then starts another one on the same folder. */
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Ends the stack with SIGTERM. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** The last lines of the log. */
  log(): string;
  /** Those of them that hold a text. */
  linesWith(text: string): string[];
};

/** Lines of the log that are kept. */
const MAX_LOG_LINES = 4_000;

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Starts `up` over all services, or those named, on `dataDir` with ports free now; waits until it is ready. */
export async function startStack(
  dataDir: string,
  env: Record<string, string> = {},
  services: readonly string[] = [],
): Promise<Stack> {
  const program = services.length === 0 ? ["cli/up/main.ts"] : ["cli/up/testing/some-up.ts", ...services];
  const lines: string[] = [];
  let runInfo: RunInfo | undefined;
  let child = await start();

  async function start() {
    const up = spawn(process.execPath, program, {
      cwd: ROOT,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        API_PORT: "0",
        RETRIEVAL_PORT: "0",
        SCRAPER_PORT: "0",
        EDGE_PORT: "0",
        NLP_PORT: "0",
        DATABASE_URL: "",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      const hear = (line: string) => {
        lines.push(line);
        if (lines.length > MAX_LOG_LINES) lines.shift();
        if (line.startsWith("ready ")) resolve();
      };
      createInterface({ input: up.stdout }).on("line", hear);
      createInterface({ input: up.stderr }).on("line", hear);
      up.once("exit", (code) => reject(new Error(`up ended with ${code}:\n${lines.slice(-20).join("\n")}`)));
    });
    up.removeAllListeners("exit");
    return up;
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill(signal);
    return ended;
  }

  return {
    dataDir,
    info() {
      try {
        runInfo = JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8"));
      } catch (error) {
        if (!(error instanceof Error) || runInfo === undefined) throw error;
      }
      if (runInfo === undefined) throw new Error("run.json is empty");
      return runInfo;
    },
    async restart(signal) {
      await end(signal);
      child = await start();
    },
    stop: () => end("SIGTERM"),
    log: () => lines.slice(-400).join("\n"),
    linesWith: (text) => lines.filter((line) => line.includes(text)),
  };
}

/** An article as the ingest route takes it. */
type Article = { source_id: string; external_id: string; url: string; title: string; content: string };

const ENGLISH =
  `harbour council ferry winter market boat sunrise meeting owner timetable bridge river school teacher hospital
doctor budget minister election village road train station museum garden festival library rain storm coast island`.split(
    /\s+/,
  );
const ARABIC =
  `ميناء مجلس عبارة شتاء سوق قارب شروق اجتماع صاحب جدول جسر نهر مدرسة معلم مستشفى طبيب ميزانية وزير انتخاب قرية
طريق قطار محطة متحف حديقة مهرجان مكتبة مطر عاصفة ساحل جزيرة`.split(/\s+/);
const GLUE = { en: ["the", "of", "and", "in", "was"], ar: ["في", "من", "على", "إلى", "كان"] };

/** Article number `n` of a made-up newspaper, every third one in Arabic; no two have the same content. */
export function madeUpArticle(n: number): Article {
  const random = seeded(n + 1);
  const lang = n % 3 === 0 ? "ar" : "en";
  const words = lang === "ar" ? ARABIC : ENGLISH;
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const sentence = () => `${Array.from({ length: 12 }, () => `${pick(words)} ${pick(GLUE[lang])}`).join(" ")}.`;
  const content = `${Array.from({ length: 6 + Math.floor(random() * 12) }, sentence).join(" ")} ${n}`;
  const title = `${pick(words)} ${pick(words)} ${n}`;
  return { source_id: "made-up", external_id: String(n), url: `https://news.example/${n}`, title, content };
}

/** Holds what a client that never gives up got in the end. */
type Posted = {
  /** The id of every article under its number; an article has one id however often it was sent. */
  ids: Map<number, number>;
  /** Articles that got two different ids, by number. */
  torn: number[];
  /** Requests that failed and were repeated. */
  repeated: number;
};

/**
 * Posts articles `0` to `count - 1` in batches, with a pause after each; repeats a batch until it is answered with 202.
 * Rejects with the signal's reason.
 */
export async function postAll(
  stack: Stack,
  {
    count,
    batch,
    pauseMs = 0,
    onBatch,
    signal,
  }: {
    count: number;
    batch: number;
    pauseMs?: number;
    onBatch?(done: number): Promise<void> | undefined;
    signal: AbortSignal;
  },
): Promise<Posted> {
  const posted: Posted = { ids: new Map(), torn: [], repeated: 0 };
  for (let first = 0; first < count; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, i) => first + i);
    const body = JSON.stringify({ articles: numbers.map(madeUpArticle) });
    for (;;) {
      signal.throwIfAborted();
      const results = await post(stack, body);
      if (results === undefined) {
        posted.repeated++;
        await sleep(50);
        continue;
      }
      for (const { external_id, article_id } of results) note(posted, Number(external_id), article_id);
      break;
    }
    await onBatch?.(first + numbers.length);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return posted;
}

function note(posted: Posted, n: number, id: number | undefined): void {
  if (id === undefined) return;
  if ((posted.ids.get(n) ?? id) !== id) posted.torn.push(n);
  posted.ids.set(n, id);
}

async function post(stack: Stack, body: string): Promise<IngestResult[] | undefined> {
  try {
    const { urls, tokens } = stack.info();
    const response = await fetch(`${urls.api}/v1/ingest/articles`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${tokens.ingest}` },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return response.status === 202 ? IngestResponse.parse(await response.json()).results : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
