import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cutBlocks } from "../body/blocks.ts";
import { gatherFacts } from "../body/facts.ts";
import { tabulate } from "../body/features/tabulate.ts";
import { withoutUnread } from "../body/unread.ts";
import { parsePage } from "../page/dom.ts";
import { siteOf } from "../page/addresses.ts";
import { statedTitle } from "../page/metadata.ts";
import { benchmarkWords, goldShares, pageIds, readGold, readHtml } from "./corpus.ts";

// bun lib/extraction/training/dump.ts WCXB_FOLDER OUT_FOLDER: the training table of the block model, for train.py.
const [corpus, out] = process.argv.slice(2);
if (corpus === undefined || out === undefined) throw new Error("usage: dump.ts WCXB_FOLDER OUT_FOLDER");
mkdirSync(out, { recursive: true });

const tables: Float32Array[] = [];
const shares: Float32Array[] = [];
const pages: string[] = [];
let names: readonly string[] = [];
for (const id of pageIds(corpus)) {
  const document = parsePage(readHtml(corpus, id));
  const title = statedTitle(document);
  const whole = cutBlocks(document);
  const tree = withoutUnread(whole, gatherFacts(whole, title));
  const table = tabulate(gatherFacts(tree, title));
  names = table.names;
  const blocks = tree.blocks.map((block) => benchmarkWords(block.text));
  const { url, text } = readGold(corpus, id);
  const gold = benchmarkWords(text);
  const site = siteOf(URL.parse(url)?.hostname ?? id);
  tables.push(table.values);
  shares.push(goldShares(blocks, gold));
  pages.push(JSON.stringify({ id, site, gold, blocks }));
}
writeFileSync(join(out, "features.bin"), Buffer.concat(tables.map((table) => Buffer.from(table.buffer))));
writeFileSync(join(out, "shares.bin"), Buffer.concat(shares.map((share) => Buffer.from(share.buffer))));
writeFileSync(join(out, "names.json"), JSON.stringify(names));
writeFileSync(join(out, "pages.jsonl"), pages.join("\n"));
process.stdout.write(
  `${pages.length} pages, ${shares.reduce((sum, s) => sum + s.length, 0)} blocks, ${names.length} features\n`,
);
