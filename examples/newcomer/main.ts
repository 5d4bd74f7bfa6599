/**
 * Ten articles, a chain, a search and an answer by the TypeScript client. It takes API_URL, and INGEST_TOKEN or a key
 * in ISNAD_KEY.
 */
import { createIsnad } from "../../clients/typescript/src/mod.ts";

const isnad = createIsnad({
  baseUrl: process.env.API_URL ?? "http://127.0.0.1:8080",
  key: process.env.ISNAD_KEY ?? process.env.INGEST_TOKEN ?? "",
});
const articles = Array.from({ length: 10 }, (_, i) => ({
  source_id: "newcomer",
  external_id: `ferry-${i}`,
  url: `https://newcomer.example/${i}`,
  title: `Ferry number ${i} sails again`,
  published_at: `2026-01-0${(i % 9) + 1}T08:00:00Z`,
  content: `Ferry number ${i} sails again after the storm of the week, said the harbour master. ${"The crew had waited for calm water. ".repeat(5)}`,
}));
const { results } = await isnad.ingestArticles({ articles });
process.stdout.write(`${results.map(({ status }) => status).join(" ")}\n`);
const [first] = results;
const { links } = await isnad.getChain({ article_id: first?.article_id ?? 0 });
process.stdout.write(`chain of ${links.length}\n`);
const { total } = await isnad.searchArticles({ q: "ferry", mode: "bm25" });
process.stdout.write(`${total} hits\n`);
const { feeds } = await isnad.createSavedSearch({ name: "ferries", query: { q: "ferry" } });
process.stdout.write(`watched: ${feeds != null}\n`);
const messages = [{ role: "user" as const, content: "Who said that the ferry sails again?" }];
for await (const { event } of isnad.stream.createChatCompletion({ messages })) process.stdout.write(`${event} `);
process.stdout.write("\n");
