/** 1 for each UTF-16 unit below U+3001 that no word contains and that no folding step joins to its neighbours:
 * white space, ASCII and Arabic punctuation, dashes and quotation marks. */
const SEPARATOR = new Uint8Array(0x3001);

function mark(from: number, to = from): void {
  SEPARATOR.fill(1, from, to + 1);
}

mark(0x00, 0x2f);
mark(0x3a, 0x40);
mark(0x5b, 0x60);
mark(0x7b, 0xa0);
for (const code of [0xab, 0xbb, 0x60c, 0x61b, 0x61f, 0x6d4, 0x1680, 0x3000]) mark(code);
mark(0x2000, 0x200a);
mark(0x2010, 0x2029);
mark(0x202f, 0x205f);

/** Calls `take` for each run of `text` between separators. Encoding the runs one by one gives the tokens of the whole
 * text for every tokenizer that splits at punctuation and white space and folds letter by letter. */
export function eachWord(text: string, take: (word: string) => void): void {
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x3001 && SEPARATOR[code] === 1) {
      if (start >= 0) take(text.slice(start, i));
      start = -1;
    } else if (start < 0) {
      start = i;
    }
  }
  if (start >= 0) take(text.slice(start));
}
