import { Parser } from "htmlparser2";
import { scriptText, withoutInvisible } from "../../text/mod.ts";

const SILENT = new Set(
  "script style template noscript svg math head title select option datalist textarea canvas audio video".split(" "),
);
/** Silent elements whose inside is a program. */
const PROGRAM = new Set(["script", "style"]);
/** Elements whose inside the parser passes on as it stands, tags included. */
const RAW = new Set(["title", "textarea"]);
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
const TAGS = new RegExp(TAG, "gi");
const ROUNDS = 3;
const MAX_TEXT = 2_000_000;
const BLOCK_TAG = /<\/?(?:p|div|h[1-6]|ul|ol|table|blockquote)\b/i;
const CODE = /[{}=;]|\w\(|\/[/*]/;
const CODE_WITHIN = 200;
/** Stands on both sides of an element's name that takes the place of its tag. */
const NAME_MARK = "\ufffe";
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}])\ufffe(?=[\p{L}\p{N}])/gu;

/**
 * Returns the text of HTML: tags, comments and the insides of scripts, styles and embedded media are gone, entities
 * decoded once, paragraphs apart. What still looks like a tag afterwards, because it was escaped twice, goes too: at
 * most three times. An element without an end tag hides nothing: a text that speaks of `<select>` goes on after it,
 * with the name in its place.
 */
export function plainTextOf(html: string): string {
  let text = html.slice(0, MAX_TEXT);
  for (let round = 0; round === 0 || (round < ROUNDS && TAG.test(text)); round++) text = strip(text, round > 0);
  return text.replace(TAGS, "");
}

/** Folds the white space of a text that is no markup the same way; a tag in it goes all the same. */
export function foldedText(text: string): string {
  const folded = fold(text);
  return TAG.test(folded) ? plainTextOf(folded) : folded;
}

/** A silent element whose end has not come yet. */
interface Held {
  readonly name: string;
  text: string;
  hasAttributes: boolean;
  hasElements: boolean;
}

function strip(html: string, isEscaped: boolean): string {
  if (!/[<&]/.test(html)) return fold(html);
  const around: Held[] = [];
  let held: Held | undefined;
  let opened: Held | undefined;
  let out = "";
  let script = "";
  const append = (text: string) => {
    if (held === undefined) out += text;
    else held.text += text;
  };
  const parser = new Parser({
    onopentagname(name) {
      script = name === "sup" || name === "sub" ? name : "";
      opened = undefined;
      if (held !== undefined) held.hasElements = true;
      if (!SILENT.has(name)) return append(breakOf(name));
      if (held !== undefined) around.push(held);
      opened = { name, text: "", hasAttributes: false, hasElements: false };
      held = opened;
    },
    onattribute() {
      if (opened !== undefined) opened.hasAttributes = true;
    },
    ontext(text) {
      append((script && scriptText(script, text, out.slice(-2))) || withoutInvisible(text).replace(/\s+/g, " "));
      script = "";
    },
    onclosetag(name, isImplied) {
      const element = held?.name === name ? held : undefined;
      if (element !== undefined) held = around.pop();
      if (element === undefined || !isNamedOnly(element, isImplied, isEscaped)) {
        if (!LINE.has(name)) append(breakOf(name));
      } else append((element.hasAttributes ? " " : NAME_MARK + name + NAME_MARK) + element.text);
    },
  });
  parser.end(openEnds(html));
  return fold(out);
}

/**
 * Returns whether the text only speaks of the element, so that its inside is a part of the text: one that has no end
 * tag, or one that was escaped and has nothing inside but text.
 */
function isNamedOnly({ name, text, hasElements }: Held, isImplied: boolean, isEscaped: boolean): boolean {
  if (PROGRAM.has(name)) return (isImplied || isEscaped) && !CODE.test(text.slice(0, CODE_WITHIN));
  if (isImplied || (RAW.has(name) && BLOCK_TAG.test(text))) return true;
  return isEscaped && !hasElements && !TAG.test(text);
}

/** Makes text of a comment or tag that is opened and never closed, unless it looks like one that was cut off. */
function openEnds(html: string): string {
  const from = html.lastIndexOf("-->") + 1;
  const isOpen = html.indexOf("<!--", from) >= 0;
  const commented = isOpen ? html.slice(0, from) + html.slice(from).replace(/<!--(?!\[if\b)/g, " ") : html;
  const at = commented.lastIndexOf("<");
  const rest = commented.slice(at);
  const isText = /^<[a-z]/i.test(rest) && !/[>=]/.test(rest) && /\s\S+\s+\S/.test(rest);
  return isText ? `${commented.slice(0, at)}< ${commented.slice(at + 1)}` : commented;
}

function breakOf(name: string): string {
  if (LINE.has(name)) return "\n";
  if (PARAGRAPH.has(name)) return "\n\n";
  return INLINE.has(name) ? "" : " ";
}

function fold(text: string): string {
  const apart = text.includes(NAME_MARK) ? text.replace(BETWEEN_WORDS, " ") : text;
  return withoutInvisible(apart)
    .replace(/\ufffe|(?!\s)\p{Cc}/gu, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
