import { basename } from "node:path";
import { tsvRows } from "./table.ts";

/** A sentence as a set has it: `label` is undefined where the set does not tell it. */
export type Sentence = { id: string; text: string; label: boolean | undefined };

const ID = /^(?:sentence_id|tweet_id|id)$/;
const TEXT = /^(?:tweet_)?text$/;
const LABEL = /^(?:class_label|label|check_worthiness)$/;
const LABELS: Readonly<Record<string, boolean>> = { yes: true, no: false, "1": true, "0": false };

/**
 * Reads the formats of check-worthiness sets: CheckThat! TSV of three columns (id, text, label) or four (id, address,
 * text, label), with or without header, cells quoted; debates of four columns (number, speaker, text, 0 or 1), not
 * quoted. A header says which columns are read, and without a label column there is one. @throws Error with the line of
 * a row that is none of these
 */
export function readSentences(content: string, name: string): Sentence[] {
  const text = content.replace(/^\ufeff/, "");
  const debate = /^\d+\t[^\t\n]*\t[^\t\n]*\t[01]\r?(?:\n|$)/.test(text);
  const rows = tsvRows(text, { quoted: !debate });
  const header = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const textColumn = header.findIndex((cell) => TEXT.test(cell));
  const labelColumn = header.findIndex((cell) => LABEL.test(cell));
  const named = textColumn >= 0;
  const idColumn = header.findIndex((cell) => ID.test(cell));
  return (named ? rows.slice(1) : rows).map((row, i) => {
    const text = row.at(named ? textColumn : -2);
    const label =
      LABELS[
        row
          .at(named ? labelColumn : -1)
          ?.trim()
          .toLowerCase() ?? ""
      ];
    const labelled = !named || labelColumn >= 0;
    if (text === undefined || (!named && row.length < 3) || (labelled && label === undefined)) {
      const columns = named ? header.join(", ") : "id, text, label nor number, speaker, text, label";
      throw new Error(`${basename(name)}: row ${i + 1} is ${named ? "not" : "neither"} ${columns}`);
    }
    return { id: row[Math.max(0, idColumn)] ?? "", text, label: labelled ? label : undefined };
  });
}
