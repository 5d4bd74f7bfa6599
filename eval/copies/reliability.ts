/** A link with its confidence, and whether it is right. */
export type Judged = { confidence: number; isRight: boolean };

/** Confidences of a row of a table: from this on, up to the next one. */
const ROWS = [0.4, 0.6, 0.8, 0.9, 0.95, 0.99];

/** A row of a reliability table. */
export type Row = { from: number; links: number; confidence: number; right: number };

/** Returns for each range of confidences how many links have one, its mean, and the share that is right. */
export function reliability(judged: readonly Judged[]): Row[] {
  return ROWS.flatMap((from, i) => {
    const below = ROWS[i + 1] ?? Number.POSITIVE_INFINITY;
    const links = judged.filter(({ confidence }) => confidence >= from && confidence < below);
    if (links.length === 0) return [];
    const confidence = links.reduce((sum, each) => sum + each.confidence, 0) / links.length;
    const right = links.filter(({ isRight }) => isRight).length / links.length;
    return [{ from, links: links.length, confidence, right }];
  });
}

/** Returns by how much confidences differ from the share that is right, the mean over links (Naeini et al. 2015). */
export function calibrationError(rows: readonly Row[]): number {
  const links = rows.reduce((sum, row) => sum + row.links, 0);
  return links === 0 ? 0 : rows.reduce((sum, row) => sum + row.links * Math.abs(row.confidence - row.right), 0) / links;
}
