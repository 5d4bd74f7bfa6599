import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import { HEAP_DEFAULTS } from "../cli/up/services.ts";
import { morphAnswer } from "../lib/arabic/morphology/answer.ts";
import { candidatesOf } from "../lib/arabic/morphology/candidates.ts";
import { openMorphology } from "../lib/arabic/morphology/model.ts";
import { tokensOf } from "../lib/arabic/tokens.ts";
import { freePort } from "../lib/std/ports.ts";
import { fineCpuS } from "./processes.ts";
import { type Figure, quantile } from "./rounds.ts";

const ROUNDS = 20;

/**
 * Tells how fast Arabic is read on one thread, by processor time: the articles of the demo, first once with an empty
 * memory for words, then over and over, and each word again; and how long it takes from nothing to the first answer.
 */
export async function morph(): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/ar/", import.meta.url));
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const words = texts.flatMap((text) => tokensOf(text).map(({ token }) => token));
  const began = process.cpuUsage();
  const { lexicon, rules, model } = await openMorphology();
  morphAnswer({ lexicon, model }, { text: "كتبت الصحيفة عن الانتخابات.", all: false });
  const ready = secondsSince(began);
  const once = process.cpuUsage();
  for (const word of words) model.candidates(word);
  const fresh = secondsSince(once);
  const distinct = [...new Set(words)];
  const unremembered = process.cpuUsage();
  for (const word of distinct) candidatesOf(word, lexicon, rules);
  const eachNew = secondsSince(unremembered);
  const lexical = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) for (const word of words) model.candidates(word);
  const fromLexicon = secondsSince(lexical);
  const contextual = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of texts) morphAnswer({ lexicon, model }, { text, all: false });
  }
  const inContext = secondsSince(contextual);
  const detail = `${words.length} tokens, ${distinct.length} distinct`;
  return [
    { name: "morph: s to the first answer", value: ready, bound: { atMost: 2 }, detail: "processor time" },
    {
      name: "morph: tokens/s from the lexicon, words met",
      value: (words.length * ROUNDS) / fromLexicon,
      bound: { atLeast: 20_000 },
      detail: `${detail}; ${Math.round(distinct.length / eachNew)} words/s never met, ${Math.round(words.length / fresh)} tokens/s at the start`,
    },
    {
      name: "morph: tokens/s in context",
      value: (words.length * ROUNDS) / inContext,
      bound: { atLeast: 4_000 },
      detail,
    },
  ];
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

const MAIN = fileURLToPath(new URL("../nlp/linguistic/main.ts", import.meta.url));

/** The linguistic service in a process of its own, which is well; `seconds` from its start until it was. */
type NlpProcess = { url: string; pid: number; seconds: number };

/** Runs `work` beside the service, and ends it. @throws Error when it ends by itself before it is well */
export async function withNlp<T>(work: (service: NlpProcess) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-bench-nlp-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...HEAP_DEFAULTS, ...process.env, DATA_DIR: dataDir, NLP_PORT: String(port), LOG_LEVEL: "error" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    while (!(await isWell(url))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error("the linguistic service has ended");
      await sleep(5);
    }
    return await work({ url, pid: child.pid ?? 0, seconds: (performance.now() - began) / 1000 });
  } finally {
    if (child.kill()) await once(child, "exit");
    rmSync(dataDir, { recursive: true });
  }
}

async function isWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`);
    const health: unknown = await response.json();
    return response.status === 200 && Object(health).status === "ok";
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Sentences of exactly `words` words, as long ones as the news has: those of an article, one after the other. */
export function sentencesOf(article: string, words: number): string[] {
  const body = article.slice(article.indexOf("\n\n") + 2);
  const all = body
    .replace(/[.؟?!…]+(?=[»”"')\]]*(?:\s|$))/g, "،")
    .split(/\s+/)
    .filter(Boolean);
  return Array.from({ length: Math.floor(all.length / words) }, (_, i) =>
    all
      .slice(i * words, (i + 1) * words)
      .join(" ")
      .replace(/،?$/, "."),
  );
}

const WORDS = 50;
const WARM_UP = 10;

/** Tells how long the running linguistic service takes for the entities of a sentence of 50 words, sent one by one. */
export async function ner(rounds: number): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/ar/", import.meta.url));
  const articles = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const sentences = articles.flatMap((article) => sentencesOf(article, WORDS));
  return withNlp(async ({ url, pid }) => {
    const ask = async (text: string): Promise<void> => {
      const response = await fetch(`${url}/ner`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text, include_offsets: true }),
      });
      if (response.status !== 200) throw new Error(`/ner answers ${response.status}: ${await response.text()}`);
      await response.json();
    };
    for (const sentence of sentences.slice(0, WARM_UP)) await ask(sentence);
    const times: number[] = [];
    const used = fineCpuS(pid);
    for (let round = 0; round < rounds; round++) {
      for (const sentence of sentences) {
        const began = performance.now();
        await ask(sentence);
        times.push(performance.now() - began);
      }
    }
    const cpuMs = ((fineCpuS(pid) ?? Number.NaN) - (used ?? Number.NaN)) * 1000;
    const detail = `median ${quantile(times, 0.5).toFixed(1)} ms, ${(cpuMs / times.length).toFixed(1)} ms of processor time each; ${sentences.length} sentences, ${rounds} times`;
    return [{ name: "/ner of 50 words: ms, 95 of 100", value: quantile(times, 0.95), bound: { atMost: 15 }, detail }];
  });
}

const TEXT = encodeURIComponent("قال رئيس بلدية نابلس إن المدرسة ستفتح يوم الأحد.");
const ROUTES = ["morph", "wsd", "ner", "re", "dialect/nabra/glossary"];

/**
 * Tells how long the linguistic service takes from the start of its process until all parts answer; its memory then.
 */
export async function ready(): Promise<Figure[]> {
  return withNlp(async ({ url, pid, seconds }) => {
    const began = performance.now();
    for (const route of ROUTES) {
      const { status } = await fetch(`${url}/${route}?text=${TEXT}`);
      if (status !== 200) throw new Error(`/${route} answers ${status}`);
    }
    const answered = seconds + (performance.now() - began) / 1000;
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return [
      {
        name: "linguistic service: s until it is well",
        value: seconds,
        bound: { atMost: 2 },
        detail: `every route has answered after ${answered.toFixed(2)} s, ${Math.round(Number(memory) / 1024)} MB resident`,
      },
    ];
  });
}
