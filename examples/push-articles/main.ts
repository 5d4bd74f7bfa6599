/**
 * Pushes articles: `INGEST_TOKEN=… bun examples/push-articles/main.ts FILE.jsonl`, one article a line. Running it again
 * changes nothing: what is stored is a duplicate. Exits with 1 where an article was refused.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const { API_URL = "http://127.0.0.1:8080", INGEST_TOKEN = "" } = process.env;
/** Most articles that the api takes in one request (its INGEST_MAX_BATCH). */
const BATCH = 100;

type Result = { external_id: string | null; status: string; article_id?: number; error?: { detail: string } };

/** Posts one batch, again while the api is busy (429, 503), and returns what became of each article. */
async function push(articles: readonly unknown[]): Promise<Result[]> {
  for (;;) {
    const response = await fetch(`${API_URL}/v1/ingest/articles`, {
      method: "POST",
      headers: { authorization: `Bearer ${INGEST_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ articles }),
    }).catch((cause) => {
      throw new Error(`${API_URL} does not answer`, { cause });
    });
    const body = JSON.parse(await response.text());
    if (response.status === 429 || response.status === 503) {
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
      continue;
    }
    // 409 has results, too: an article is known with another text, and nothing was stored.
    if (!Array.isArray(body.results)) throw new Error(`${response.status}: ${body.detail}`);
    return body.results;
  }
}

const lines = (await readFile(process.argv[2] ?? "/dev/stdin", "utf8")).split("\n").filter(Boolean);
for (let at = 0; at < lines.length; at += BATCH) {
  const results = await push(lines.slice(at, at + BATCH).map((line) => JSON.parse(line)));
  for (const { external_id, status, article_id, error } of results) {
    process.stdout.write(`${external_id} ${status} ${article_id ?? error?.detail ?? ""}\n`);
    if (status === "failed" || status === "conflict") process.exitCode = 1;
  }
}
