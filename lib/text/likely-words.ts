/**
 * The letters that normal forms change one by one, by what they become; -1 for what they leave out. Others:
 * `undefined`.
 */
const FOLDED = new Map<number, number>();
for (let c = 0x61; c <= 0x7a; c++) {
  FOLDED.set(c, c);
  FOLDED.set(c - 32, c);
}
for (let c = 0x30; c <= 0x39; c++) FOLDED.set(c, c);
for (let c = 0x621; c <= 0x64a; c++) FOLDED.set(c, c);
for (let c = 0x64b; c <= 0x652; c++) FOLDED.set(c, -1);
FOLDED.set(0x640, -1);
for (const c of "آأإ") FOLDED.set(c.charCodeAt(0), 0x627);
FOLDED.set(0x649, 0x64a);
FOLDED.set(0x629, 0x647);

/**
 * A cheap test whether a word of a text can have one of these stems: whether it holds the first two letters of one side
 * by side. Words with other than plain letters always can.
 */
export function likelyWords(stems: Iterable<string>): (text: string, start: number, end: number) => boolean {
  const pairs = new Set<number>();
  let any = false;
  for (const stem of stems) {
    if (stem.length < 2) any = true;
    pairs.add(pair(stem.charCodeAt(0), stem.charCodeAt(1)));
    // English stems may have i for y.
    if (stem[1] === "i") pairs.add(pair(stem.charCodeAt(0), 0x79));
  }
  if (any) return () => true;
  return (text, start, end) => {
    let before = 0;
    for (let i = start; i < end; i++) {
      const letter = FOLDED.get(text.charCodeAt(i));
      if (letter === undefined || pairs.has(pair(before, letter))) return true;
      if (letter >= 0) before = letter;
    }
    return false;
  };
}

function pair(first: number, second: number): number {
  return first * 0x10000 + second;
}
