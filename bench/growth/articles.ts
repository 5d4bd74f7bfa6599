import { randoms } from "../../e2e/faults/articles.ts";
import { readJsonLines } from "../../eval/retrieval-sets.ts";

/** An article as the ingest route takes it. */
type Posted = { source_id: string; external_id: string; url: string; title: string; content: string };

/** Real articles, cut into sentences. */
type Pool = { titles: string[]; sentences: string[][] };

/** Real articles that are read of each language. */
const READ = 4_000;

/**
 * Makes any number of articles out of the real ones of `folder`: article `n` has the title of one, with a word of
 * another, and sentences of three, as many as a real one has. Half are Arabic; no two are the same, and the same number
 * gives the same article.
 */
export function recombined(folder: string): (n: number) => Posted {
  const pools = ["ant_v1_ar.jsonl", "english.jsonl"].map((file) => pool(`${folder}/news/${file}`));
  return (n) => {
    const random = randoms(n + 1);
    const { titles, sentences } = pools[n % 2] ?? { titles: [], sentences: [] };
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const [length, ...parts] = [pick(sentences), pick(sentences), pick(sentences), pick(sentences)];
    const words = (pick(titles) ?? "").split(" ");
    const chosen = parts.flatMap((part) => part ?? []).filter(() => random() < 0.5);
    const content = [...chosen.slice(0, Math.max(4, length?.length ?? 0)), `(${n})`].join(" ");
    return {
      source_id: `growth-${n % 40}`,
      external_id: String(n),
      url: `https://news${n % 40}.example/${n}`,
      title: `${pick(titles) ?? ""} ${words[0] ?? ""}`.slice(0, 400),
      content: content.length >= 200 ? content : content.padEnd(220, ` ${words.join(" ")}`),
    };
  };
}

function pool(file: string): Pool {
  const rows = readJsonLines(file)
    .slice(0, READ)
    .flatMap(({ title, text }) =>
      typeof title === "string" && typeof text === "string" && text.length > 300
        ? [{ title, text: text.replaceAll(/\s+/g, " ") }]
        : [],
    );
  return {
    titles: rows.map(({ title }) => title),
    sentences: rows.map(({ text }) => text.split(/(?<=[.!?؟])\s+/)),
  };
}
