/** The rows of a table with a header line, by column name. A field may be quoted when the separator is a comma. */
export function readTable(text: string, separator: "," | "\t"): Record<string, string>[] {
  const [header = [], ...rows] = splitRows(text, separator);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])));
}

function splitRows(text: string, separator: string): string[][] {
  const pattern = separator === "," ? /"((?:[^"]|"")*)"|[^,\n]*/gy : /[^\t\n]*/gy;
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    row.push((match?.[1]?.replaceAll('""', '"') ?? match?.[0] ?? "").replace(/\r$/, ""));
    at = pattern.lastIndex;
    if (text[at] !== separator) {
      rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}
