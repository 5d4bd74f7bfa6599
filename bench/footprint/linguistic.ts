import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { withNlp } from "../nlp-process.ts";
import { pssMb } from "../processes.ts";
import type { Figure } from "../rounds.ts";

const ARTICLES = fileURLToPath(new URL("../../cli/demo/articles/ar/", import.meta.url));

/** Requests in all, and between two looks at the memory. */
const REQUESTS = 10_000;
const LOOK_EVERY = 500;
/** Requests after which every cache is full. */
const WARM = REQUESTS / 2;
const AT_A_TIME = 4;
const PARAGRAPHS = 3;
/** Growth that counts as none: what a runtime's own heaps come and go by. */
const FLAT_MB = 64;
const CEILING_MB = 600;

const LETTERS = [..."ابتثجحخدذرزسشصضطظعغفقكلمنهوي"];

/** The routes that read texts. */
const ROUTES: readonly ((text: string) => { path: string; body: unknown })[] = [
  (text) => ({ path: "/morph", body: { text, flag: "*", include_lemma: true } }),
  (text) => ({ path: "/morph", body: { text } }),
  (text) => ({ path: "/ner", body: { text } }),
  (text) => ({ path: "/re", body: { text } }),
  (text) => ({ path: "/wsd", body: { text } }),
];

/**
 * Measures how much memory the linguistic service takes over 10,000 requests to all routes that read texts, every
 * request with words that were never sent before, as the share of it in the machine's memory (PSS).
 */
export async function linguisticFootprint(): Promise<Figure[]> {
  const paragraphs = readdirSync(ARTICLES).flatMap((file) =>
    readFileSync(join(ARTICLES, file), "utf8").split("\n\n").slice(1),
  );
  return await withNlp(async ({ url, pid }) => {
    const looks = [{ requests: 0, mb: pssMb(pid) }];
    const refused = new Map<string, number>();
    for (let requests = 0; requests < REQUESTS; requests += AT_A_TIME) {
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, i) => send(url, requests + i, paragraphs, refused)));
      if ((requests + AT_A_TIME) % LOOK_EVERY !== 0) continue;
      looks.push({ requests: requests + AT_A_TIME, mb: pssMb(pid) });
      process.stderr.write(`${requests + AT_A_TIME} requests: ${looks.at(-1)?.mb.toFixed(0)} MB\n`);
    }
    const most = (from: number, to: number): number =>
      Math.max(...looks.flatMap(({ requests, mb }) => (requests > from && requests <= to ? [mb] : [])));
    const [first, last] = [most(WARM / 2, WARM), most(REQUESTS - WARM / 2, REQUESTS)];
    const detail = `${looks[0]?.mb.toFixed(0)} MB at the start; refused: ${JSON.stringify(Object.fromEntries(refused))}`;
    return [
      { name: "footprint: linguistic, growth in MB", value: last - first, bound: { atMost: FLAT_MB }, detail },
      { name: "footprint: linguistic, MB at most", value: most(0, REQUESTS), bound: { atMost: CEILING_MB }, detail },
    ];
  });
}

async function send(url: string, n: number, paragraphs: readonly string[], refused: Map<string, number>) {
  const route = ROUTES[n % ROUTES.length];
  const text = Array.from({ length: PARAGRAPHS }, (_, i) => paragraphs[(n * 7 + i) % paragraphs.length]).join("\n\n");
  const request = route?.(`${newWords(n)} ${text}`);
  if (request === undefined) return;
  const response = await fetch(`${url}${request.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request.body),
  });
  await response.arrayBuffer();
  const key = `${request.path} ${response.status}`;
  if (!response.ok) refused.set(key, (refused.get(key) ?? 0) + 1);
}

/** Twenty words of five letters, other ones for each number. */
function newWords(n: number): string {
  return Array.from({ length: 20 }, (_, i) => {
    let rest = n * 20 + i;
    return Array.from({ length: 5 }, () => {
      const letter = LETTERS[rest % LETTERS.length];
      rest = Math.floor(rest / LETTERS.length);
      return letter;
    }).join("");
  }).join(" ");
}
