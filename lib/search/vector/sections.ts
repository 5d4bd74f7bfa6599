import { open } from "node:fs/promises";
import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filters.ts";
import type { ArticleColumns } from "./articles.ts";
import type { Section } from "./manifest.ts";
import { type RowColumns, SEGMENT_ROWS } from "./rows.ts";

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The tables' columns as named byte ranges, in the order of the file. Words are JSON. */
export function toSections(articles: ArticleColumns, rows: RowColumns): { name: string; bytes: Uint8Array }[] {
  const fields = [...articles.fields];
  const words = Object.fromEntries(fields.map(([field, column]) => [field, column.words]));
  const columns: [string, Column][] = [
    ["article.ids", articles.ids],
    ...fields.map(([field, { values }]): [string, Column] => [`article.${field}`, values]),
    ["article.words", new TextEncoder().encode(JSON.stringify(words))],
    ["row.state", rows.state],
    ["row.article", rows.article],
    ["row.no", rows.no],
    ["row.start", rows.start],
    ["row.end", rows.end],
    ...rows.vectors.map((segment, i): [string, Column] => [`row.vectors.${i}`, segment]),
  ];
  return columns.map(([name, column]) => ({
    name,
    bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  }));
}

/** Reads the columns back. Throws {@link RangeError} when their lengths do not fit each other. */
export async function fromSections(
  path: string,
  sections: readonly Section[],
  dims: number,
): Promise<{ articles: ArticleColumns; rows: RowColumns }> {
  const read = await readSections(path, sections);
  const take = (name: string): ArrayBuffer => {
    const section = read.get(name);
    if (section === undefined) throw new RangeError(`the snapshot has no section ${name}`);
    return section;
  };
  const ids = new Float64Array(take("article.ids"));
  const words: Record<string, readonly string[]> = JSON.parse(new TextDecoder().decode(take("article.words")));
  const fields = new Map(
    [...ARTICLE_FILTER_FIELDS].map(([field, type]) => {
      const bytes = take(`article.${field}`);
      const values = isNumeric(type) ? new Float64Array(bytes) : new Uint32Array(bytes);
      return [field, { values, words: words[field] ?? [] }];
    }),
  );
  const state = new Uint8Array(take("row.state"));
  const rows: RowColumns = {
    count: state.length,
    state,
    article: new Uint32Array(take("row.article")),
    no: new Int32Array(take("row.no")),
    start: new Int32Array(take("row.start")),
    end: new Int32Array(take("row.end")),
    vectors: Array.from(
      { length: Math.ceil(state.length / SEGMENT_ROWS) },
      (_, i) => new Uint16Array(take(`row.vectors.${i}`)),
    ),
  };
  const vectors = rows.vectors.reduce((length, segment) => length + segment.length, 0);
  const fits =
    [...fields.values()].every(({ values }) => values.length === ids.length) &&
    [rows.article, rows.no, rows.start, rows.end].every((column) => column.length === rows.count) &&
    vectors === rows.count * dims &&
    rows.article.every((ordinal) => ordinal < ids.length);
  if (!fits) throw new RangeError("the snapshot's columns do not fit each other");
  return { articles: { ids, fields }, rows };
}

async function readSections(path: string, sections: readonly Section[]): Promise<Map<string, ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    const read = new Map<string, ArrayBuffer>();
    for (const { name, bytes } of sections) {
      const into = new Uint8Array(bytes);
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(into, at, bytes - at, null);
        if (bytesRead === 0) throw new RangeError(`the snapshot ends within ${name}`);
        at += bytesRead;
      }
      read.set(name, into.buffer);
    }
    return read;
  } finally {
    await file.close();
  }
}
