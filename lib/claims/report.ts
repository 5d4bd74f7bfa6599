import type { ListedClaim } from "../store/mod.ts";
import { verdictOf } from "./claim-review.ts";

/** A topic of a report with its claims, the most repeated first. */
type ReportTopic = { topic: string; claims: readonly ListedClaim[] };

/** Stands for the topic of articles that have none. */
const NO_TOPIC = "other";

/** Returns claims by the categories of their articles: the topic of the most repeated first, and so within each. */
export function claimsByTopic(claims: readonly ListedClaim[]): ReportTopic[] {
  const ordered = claims.toSorted((a, b) => b.articles - a.articles || b.score - a.score || a.claimId - b.claimId);
  const topics = [...Map.groupBy(ordered, ({ categoryId }) => categoryId ?? NO_TOPIC)];
  const said = (of: readonly ListedClaim[]) => of.reduce((sum, { articles }) => sum + articles, 0);
  return topics
    .map(([topic, of]) => ({ topic, claims: of }))
    .toSorted((a, b) => said(b.claims) - said(a.claims) || (a.topic < b.topic ? -1 : 1));
}

/** Writes the report of a day as Markdown. Texts of articles stay texts: what would be markup is escaped. */
export function reportMarkdown(day: string, topics: readonly ReportTopic[]): string {
  const total = topics.reduce((sum, { claims }) => sum + claims.length, 0);
  const lines = [`# Claims of ${day}`, "", total === 1 ? "1 claim." : `${total} claims.`];
  for (const { topic, claims } of topics) {
    lines.push("", `## ${escaped(topic)}`, "");
    for (const claim of claims) lines.push(...claimLines(claim));
  }
  return `${lines.join("\n")}\n`;
}

function claimLines(claim: ListedClaim): string[] {
  const { text, lang, speaker, articles, sources, firstAt, title, url, sourceId, reviews, score, withdrawn } = claim;
  const repeats =
    articles === 1 ? "1 article" : `${articles} articles of ${sources} ${sources === 1 ? "source" : "sources"}`;
  const facts = [
    ...(speaker === null ? [] : [`said by ${escaped(speaker.name)}`]),
    `${repeats}, first ${firstAt.slice(0, 16).replace("T", " ")}`,
    `score ${score.toFixed(2)}`,
    ...(withdrawn ? ["withdrawn by its source"] : []),
  ];
  return [
    `- **${escaped(text)}**`,
    `  ${facts.join(" · ")}`,
    `  ${escaped(sourceId)}: [${escaped(title)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`,
    ...reviews.map(({ rating, ratingText, publisher, url: address }) => {
      const verdict = escaped(verdictOf({ rating, ratingText }, lang));
      const link = address === null ? "" : ` <${address.replace(/[<>\s]/g, encodeURIComponent)}>`;
      return `  Checked by ${escaped(publisher)}: ${verdict}${link}`;
    }),
  ];
}

/** Returns a text in which nothing is markup, on one line. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|~!]/g, "\\$&")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2")
    .replace(/^([-+])/, "\\$1");
}

const COLUMNS =
  "topic,claim_id,claim,lang,score,speaker,articles,sources,first_at,article_id,title,source,url,reviews".split(",");

/** Writes the report of a day as CSV (RFC 4180, with a BOM); no cell is a formula to a spreadsheet. */
export function reportCsv(topics: readonly ReportTopic[]): string {
  const rows = topics.flatMap(({ topic, claims }) =>
    claims.map((claim) => [
      topic,
      claim.claimId,
      claim.text,
      claim.lang,
      claim.score.toFixed(4),
      claim.speaker?.name ?? "",
      claim.articles,
      claim.sources,
      claim.firstAt,
      claim.articleId,
      claim.title,
      claim.sourceId,
      claim.url,
      claim.reviews
        .map(({ publisher, rating, ratingText, url }) =>
          `${publisher}: ${verdictOf({ rating, ratingText }, claim.lang)} ${url ?? ""}`.trim(),
        )
        .join("; "),
    ]),
  );
  return `\ufeff${[COLUMNS, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

/** Returns a cell; a text that a spreadsheet would take for a formula is shown as a text. */
function csvCell(value: string | number): string {
  const text = typeof value === "string" && /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
