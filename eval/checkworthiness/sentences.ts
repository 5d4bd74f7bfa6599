import { basename } from "node:path";
import { tsvRows } from "./table.ts";

/** A sentence as a set has it: `label` is undefined where the set does not tell it. */
export type Sentence = { id: string; text: string; label: boolean | undefined };

const LABELS: Readonly<Record<string, boolean>> = { yes: true, no: false, "1": true, "0": false };

/**
 * Reads the formats of check-worthiness sets: CheckThat! TSV of three columns (id, text, label) or four (id, address,
 * text, label), with or without header, cells quoted; debates of four columns (number, speaker, text, 0 or 1), not
 * quoted. Without a label column only where the header says so. @throws Error with the line of a row that is none of
 * these
 */
export function readSentences(content: string, name: string): Sentence[] {
  const text = content.replace(/^\ufeff/, "");
  const debate = /^\d+\t[^\t\n]*\t[^\t\n]*\t[01]\r?(?:\n|$)/.test(text);
  const rows = tsvRows(text, { quoted: !debate });
  const header = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const named = header.some((cell) => ["class_label", "label", "check_worthiness"].includes(cell));
  const unlabelled = !named && ["text", "tweet_text"].includes(header.at(-1) ?? "");
  const idColumn = Math.max(
    0,
    header.findIndex((cell) => /^(?:sentence_id|tweet_id|id)$/.test(cell)),
  );
  const body = named || unlabelled ? rows.slice(1) : rows;
  return body.map((row, i) => {
    const cells = unlabelled ? [...row, ""] : row;
    const label = LABELS[cells.at(-1)?.trim().toLowerCase() ?? ""];
    const sentence = cells.at(-2);
    if (cells.length < 3 || sentence === undefined || (label === undefined && !unlabelled)) {
      throw new Error(`${basename(name)}: row ${i + 1} is neither id, text, label nor number, speaker, text, label`);
    }
    return { id: cells[idColumn] ?? "", text: sentence, label };
  });
}
