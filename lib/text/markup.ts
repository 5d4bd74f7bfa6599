/** Elements that stand within a line: taking their tags away must not part the word that they are in. */
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const NAME = /[a-z][^\s/>]*/iy;
/** An end of the kept text that could become markup when the text after a removed tag is put against it. */
const HALF_OPEN = /<(?:[!/?][^\s>]{0,7})?$/;

/**
 * Takes HTML markup out of a text: tags with their attributes, comments, declarations, and the bodies of `script` and
 * `style`; what CDATA sections hold stays. A removed tag leaves a space, unless it is an inline one. A `<` that opens
 * no tag (`a < b`, `<3`, or one that is never closed) is text, and so is what follows a comment, script or style that
 * is never closed: HTML would swallow the rest, but of a text that somebody sent nothing may be lost. One pass: linear
 * in the length of the text.
 */
export function stripMarkup(text: string): string {
  if (!text.includes("<")) return text;
  const s = text.includes("<![CDATA[") ? text.replace(/<!\[CDATA\[|\]\]>/g, " ") : text;
  const scan = { tagEnd: tagEnds(s), closing: closings(s) };
  const lastClose = s.lastIndexOf(">");
  const kept: string[] = [];
  let tail = "";
  let from = 0;
  for (let at = s.indexOf("<"); at >= 0 && at < lastClose; ) {
    const markup = markupAt(s, at, scan);
    if (markup === undefined) {
      at = s.indexOf("<", at + 1);
      continue;
    }
    const piece = s.slice(from, at);
    tail = (tail + piece.slice(-9)).slice(-9);
    const gap = !markup.joins || HALF_OPEN.test(tail) ? " " : "";
    tail += gap;
    kept.push(piece + gap);
    from = markup.end;
    at = s.indexOf("<", from);
  }
  kept.push(s.slice(from));
  return kept.join("");
}

/** A piece of markup: where it ends, and whether the texts on its two sides belong together. */
type Markup = { end: number; joins: boolean };

/** The offsets after the `>` that closes a tag, and after what closes a comment, script or style. */
type Scan = {
  tagEnd(from: number): number;
  /** Undefined when it is never closed. */
  closing(what: keyof typeof CLOSING, from: number): number | undefined;
};

const CLOSING = {
  comment: "-->",
  script: "</script(?=[\\s/>])[^>]*>?",
  style: "</style(?=[\\s/>])[^>]*>?",
};

function markupAt(s: string, at: number, { tagEnd, closing }: Scan): Markup | undefined {
  if (s.startsWith("<!--", at)) return { end: closing("comment", at + 4) ?? at + 4, joins: true };
  const sign = s[at + 1];
  const special = sign === "/" || sign === "!" || sign === "?";
  NAME.lastIndex = at + (special ? 2 : 1);
  const name = NAME.exec(s)?.[0];
  if (name === undefined) return undefined;
  const element = name.slice(0, 12).toLowerCase();
  const end = tagEnd(at + 1 + name.length);
  if (special) return { end, joins: sign === "/" && INLINE.has(element) };
  if (element === "script" || element === "style") return { end: closing(element, end) ?? end, joins: false };
  return { end, joins: INLINE.has(element) };
}

/** Finds what closes; what is not there from some place on is not looked for again. */
function closings(s: string): Scan["closing"] {
  const missing = new Set<string>();
  return (what, from) => {
    if (missing.has(what)) return undefined;
    const closing = new RegExp(CLOSING[what], "gi");
    closing.lastIndex = from;
    const match = closing.exec(s);
    if (match === null) missing.add(what);
    return match === null ? undefined : match.index + match[0].length;
  };
}

/**
 * Finds the offset after the `>` that closes a tag, passing over quoted attribute values. Once a quote has turned out
 * not to be closed, quotes mean nothing for the rest of the text: the second scan of a stretch is also the last.
 */
function tagEnds(s: string): (from: number) => number {
  let quotes = true;
  return (from) => {
    let value = false;
    for (let i = from; quotes && i < s.length; i++) {
      const c = s.charCodeAt(i);
      if (c === 0x3e) return i + 1;
      if (value && (c === 0x22 || c === 0x27)) {
        const close = s.indexOf(s.charAt(i), i + 1);
        if (close < 0) break;
        i = close;
        value = false;
      } else if (c === 0x3d) value = true;
      else if (c > 0x20) value = false;
    }
    quotes = false;
    const close = s.indexOf(">", from);
    return close < 0 ? s.length : close + 1;
  };
}
