import { Parser } from "htmlparser2";

const SILENT = new Set(
  "script style template noscript svg math head title select option datalist textarea canvas audio video".split(" "),
);
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const PARAGRAPH = new Set(
  "p div h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table section article figure figcaption header footer aside form hr".split(
    " ",
  ),
);
const LINE = new Set(["br", "li", "tr"]);
const TAG = /<\/?[a-z!?][^<>]*>/i;
const ROUNDS = 3;
const MAX_TEXT = 2_000_000;

/**
 * The text of HTML: tags, comments and the insides of scripts, styles and embedded media are gone, entities decoded once,
 * paragraphs apart. What still looks like a tag afterwards, because it was escaped twice, goes too: at most three times.
 */
export function plainTextOf(html: string): string {
  let text = html.slice(0, MAX_TEXT);
  for (let round = 0; round === 0 || (round < ROUNDS && TAG.test(text)); round++) text = strip(text);
  return text.replace(new RegExp(TAG, "gi"), "");
}

/** A text that is no markup, with its white space folded the same way; a tag in it goes all the same. */
export function foldedText(text: string): string {
  const folded = fold(text);
  return TAG.test(folded) ? plainTextOf(folded) : folded;
}

function strip(html: string): string {
  if (!/[<&]/.test(html)) return fold(html);
  let out = "";
  let silent = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (silent > 0 || SILENT.has(name)) silent++;
      out += breakOf(name);
    },
    ontext(text) {
      if (silent === 0) out += text.replace(/\s+/g, " ");
    },
    onclosetag(name) {
      if (silent > 0) silent--;
      out += LINE.has(name) ? "" : breakOf(name);
    },
  });
  parser.end(html);
  return fold(out);
}

function breakOf(name: string): string {
  if (LINE.has(name)) return "\n";
  if (PARAGRAPH.has(name)) return "\n\n";
  return INLINE.has(name) ? "" : " ";
}

function fold(text: string): string {
  return text
    .replace(/[\u200b\ufeff\u00ad]|(?!\s)\p{Cc}/gu, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
