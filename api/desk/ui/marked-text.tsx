import { sentences } from "@isnad/lib/text";
import { directionOf, plain } from "./text.tsx";

/** A stretch of a text in code points, the end not in it. */
type Span = { start: number; end: number };

/** Holds what is marked in a text, each by the stretches that it takes. */
type Marks = {
  entities: readonly { name: string; href: string; offsets: readonly Span[] }[];
  claims: readonly { id: number; href: string; offsets: Span }[];
};

/**
 * Quotations in the marks of both languages; straight marks open before a letter and close behind one. Bounded: a lost
 * mark costs no more than its reach.
 */
const QUOTES = /«[^«»]{1,600}»|“[^“”]{1,600}”|"[^\s"](?:[^"]{0,598}[^\s"])?"/g;

/** Characters from which a paragraph ends with its sentence; stored texts have no lines of their own. */
const PARAGRAPH_CHARS = 420;

/** A piece of a text between two places where any mark begins or ends. */
type Piece = Span & {
  entity?: string | undefined;
  claim?: number | undefined;
  ends?: number | undefined;
  quote: boolean;
};

/** Shows a text in paragraphs with what is marked in it; style sheets show and hide each kind. */
export function MarkedText({
  text,
  lang,
  marks,
  claimWord,
}: {
  text: string;
  lang: string | null;
  marks: Marks;
  claimWord: string;
}) {
  const points = Array.from(text);
  const hrefs = new Map(marks.claims.map(({ id, href }) => [id, href]));
  return (
    <div class="article-text" dir={directionOf(text, lang)} lang={lang ?? undefined}>
      {paragraphsOf(text, points, marks).map((pieces) => (
        <p>
          {pieces.map(({ start, end, entity, claim, ends, quote }) => {
            const words = plain(points.slice(start, end).join(""));
            const named =
              entity === undefined ? (
                words
              ) : (
                <a class="m-entity" href={entity}>
                  {words}
                </a>
              );
            const names = [claim !== undefined && "m-claim", quote && "m-quote"].filter(Boolean).join(" ");
            return (
              <>
                {names === "" ? named : <span class={names}>{named}</span>}
                {ends !== undefined && (
                  <a class="claim-link" href={hrefs.get(ends)} id={`claim-${ends}`}>
                    {claimWord}
                  </a>
                )}
              </>
            );
          })}
        </p>
      ))}
    </div>
  );
}

/** Returns the paragraphs of a text, each cut where a mark begins or ends. */
function paragraphsOf(text: string, points: readonly string[], marks: Marks): Piece[][] {
  const breaks = paragraphEnds(text, points.length);
  const entity = spread(
    points.length,
    marks.entities.flatMap(({ href, offsets }) => offsets.map((span) => ({ ...span, is: href }))),
  );
  const claim = spread(
    points.length,
    marks.claims.map(({ id, offsets }) => ({ ...offsets, is: id })),
  );
  const quote = spread(
    points.length,
    quotesOf(text).map((span) => ({ ...span, is: true })),
  );
  const claimEnds = new Map(marks.claims.map(({ id, offsets }) => [offsets.end, id]));
  const paragraphs: Piece[][] = [];
  let start = 0;
  for (const end of breaks) {
    const pieces: Piece[] = [];
    let from = start;
    for (let i = start + 1; i <= end; i++) {
      const isSame = i < end && entity[i] === entity[from] && claim[i] === claim[from] && quote[i] === quote[from];
      if (isSame && !claimEnds.has(i)) continue;
      pieces.push({
        ...{ start: from, end: i, entity: entity[from], claim: claim[from], quote: quote[from] === true },
        ends: claimEnds.get(i),
      });
      from = i;
    }
    if (pieces.length > 0) paragraphs.push(pieces);
    start = end;
  }
  return paragraphs;
}

/** Returns for each code point what covers it: of spans that overlap the one that begins first. */
function spread<T>(length: number, spans: readonly (Span & { is: T })[]): (T | undefined)[] {
  const covered = new Array<T | undefined>(length).fill(undefined);
  let reached = 0;
  for (const { start, end, is } of spans.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, reached);
    covered.fill(is, from, Math.min(end, length));
    reached = Math.max(reached, end);
  }
  return covered;
}

/** Returns where paragraphs end: with the first sentence after so many characters. */
function paragraphEnds(text: string, length: number): number[] {
  const ends: number[] = [];
  let start = 0;
  for (const { end } of sentences(text)) {
    if (end - start < PARAGRAPH_CHARS) continue;
    ends.push(end);
    start = end;
  }
  if (start < length) ends.push(length);
  return ends;
}

function quotesOf(text: string): Span[] {
  const spans: Span[] = [];
  let unit = 0;
  let point = 0;
  const pointAt = (target: number): number => {
    for (; unit < target; point++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    return point;
  };
  for (const { index, 0: quote } of text.matchAll(QUOTES)) {
    const start = pointAt(index);
    spans.push({ start, end: pointAt(index + quote.length) });
  }
  return spans;
}
