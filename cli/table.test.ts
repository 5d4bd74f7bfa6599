import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { DelimitedReader, readTable, readXlsx } from "./table.ts";

async function rowsOf(bytes: string | Uint8Array): Promise<[number, ...string[]][]> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-table-"));
  try {
    const path = join(dir, "file");
    writeFileSync(path, bytes);
    return Array.from(await readTable(path), ({ number, cells }) => [number, ...cells]);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("cells are parted by commas, tabs or semicolons, whichever the head uses", async () => {
  for (const sign of [",", "\t", ";"]) {
    expect(await rowsOf(["a", "b"].join(sign).concat("\r\n", ["١", "x y"].join(sign), "\r\n"))).toEqual([
      [1, "a", "b"],
      [2, "١", "x y"],
    ]);
  }
});

test("a quoted cell holds separators, line breaks and quotes; empty rows count but are left out", async () => {
  expect(await rowsOf('\ufeffa,b\n\n"1,2\n3","say ""x"""\n,"y"z\n4,')).toEqual([
    [1, "a", "b"],
    [3, "1,2\n3", 'say "x"'],
    [4, "", "yz"],
    [5, "4", ""],
  ]);
});

test("however a text is cut into pieces, its rows are the same", () => {
  const text = 'a,b\r\n\r\n"1,2\r\n3","say ""x"""\n,"y"z\r\n"",4\n5,"6"';
  const whole = new DelimitedReader(",").read(text, { isLast: true });
  expect(whole.map(({ number, cells }) => [number, ...cells])).toEqual([
    [1, "a", "b"],
    [3, "1,2\r\n3", 'say "x"'],
    [4, "", "yz"],
    [5, "", "4"],
    [6, "5", "6"],
  ]);
  for (let size = 1; size < 12; size++) {
    const reader = new DelimitedReader(",");
    const rows = [];
    for (let at = 0; at < text.length; at += size) rows.push(...reader.read(text.slice(at, at + size)));
    expect([...rows, ...reader.read("", { isLast: true })]).toEqual(whole);
  }
  expect(() => new DelimitedReader(",").read(`"${"x".repeat(17 * 1024 * 1024)}`)).toThrow("row 1 is longer than");
});

test("text of a spreadsheet in UTF-16 is read by its byte order mark", async () => {
  expect(await rowsOf(Buffer.from("\ufeffا\tب", "utf16le"))).toEqual([[1, "ا", "ب"]]);
});

test("what is no table says why", async () => {
  await expect(rowsOf('a,b\n1,"2')).rejects.toThrow("row 2: a quotation mark is never closed");
  await expect(rowsOf(new Uint8Array([97, 0xff, 98]))).rejects.toThrow("save it as UTF-8");
  await expect(rowsOf(strToU8("PK not a workbook"))).rejects.toThrow("no workbook, or damaged");
  await expect(rowsOf(zipSync({ mimetype: strToU8("x") }))).rejects.toThrow("it has no xl/workbook.xml");
});

const workbook = (sheet: string, strings = ""): Uint8Array =>
  zipSync({
    "xl/workbook.xml": strToU8(
      '<workbook xmlns:r="r"><sheets><sheet name="Words" sheetId="4" r:id="rId9"/><sheet name="B" r:id="rId1"/></sheets></workbook>',
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    ),
    "xl/worksheets/sheet1.xml": strToU8("<worksheet/>"),
    "xl/worksheets/sheet2.xml": strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    "xl/sharedStrings.xml": strToU8(`<sst>${strings}</sst>`),
  });

test("a workbook's first sheet: shared and own texts, numbers, gaps, errors, rows by their numbers", async () => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1"/></row>
    <row r="4"><c r="A4"><v>5.1891E4</v></c><c r="B4" t="inlineStr"><is><t>a &amp; </t></is></c><c r="C4" t="e"><v>#N/A</v></c></row>`;
  const strings = "<si><t>كلمة</t></si><si><r><t>a</t></r><r><t>b</t></r><rPh><t>no</t></rPh></si>";
  expect(await rowsOf(workbook(rows, strings))).toEqual([
    [1, "كلمة", "", "ab"],
    [4, "51891", "a & ", "#N/A"],
  ]);
});

test("a workbook with more rows or columns than the format allows, or a part that is cut off, is refused", async () => {
  const row = "<row><c><v>1</v></c></row>";
  expect(readXlsx(workbook(row.repeat(9)), { maxRows: 9 })).toHaveLength(9);
  expect(() => readXlsx(workbook(row.repeat(10)), { maxRows: 9 })).toThrow("more rows than a sheet may have (9)");
  await expect(rowsOf(workbook('<row><c r="XFE1"><v>1</v></c></row>'))).rejects.toThrow("more columns");
  const whole = Buffer.from(workbook(row.repeat(50)));
  const cut = whole.subarray(0, whole.indexOf("xl/worksheets/sheet2.xml") + 40);
  await expect(rowsOf(cut)).rejects.toThrow("no workbook, or damaged");
});
