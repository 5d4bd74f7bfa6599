// The characters of Unicode's White_Space property. Not /\s/: that has U+FEFF, which joins words, and lacks U+0085.
const OTHER =
  "\t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
/** A run that is no single space: the single ones, by far the most, are left alone. */
const RUN = new RegExp(`[ ${OTHER}]{2,}|[${OTHER}]`, "g");

/** Whether a UTF-16 unit is white space other than U+0020. A look into it costs half of a search for so many ranges. */
const IS_OTHER = new Uint8Array(0x10000);
for (const unit of OTHER) IS_OTHER[unit.charCodeAt(0)] = 1;

/** Whether a UTF-16 unit is white space other than U+0020. */
export function isOtherWhiteSpace(unit: number): boolean {
  return IS_OTHER[unit] === 1;
}

/** Every run of white space as one space, none at the ends. */
export function foldWhiteSpace(s: string): string {
  return hasOther(s) ? s.replace(RUN, " ").trim() : foldSpaces(s);
}

/** The same of a text that has no white space but U+0020. */
export function foldSpaces(s: string): string {
  return s.startsWith(" ") || s.endsWith(" ") || s.includes("  ") ? s.replace(RUN, " ").trim() : s;
}

function hasOther(s: string): boolean {
  for (let i = 0; i < s.length; i++) if (IS_OTHER[s.charCodeAt(i)] === 1) return true;
  return false;
}
