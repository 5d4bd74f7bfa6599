// The characters of Unicode's White_Space property. Not /\s/: that has U+FEFF, which joins words, and lacks U+0085.
const CLASS = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const UNFOLDED = new RegExp(`[${CLASS.replace(" ", "")}]|  |^ | $`);
const RUN = new RegExp(`[${CLASS}]+`, "g");

/** Every run of white space as one space, none at the ends. */
export function foldWhiteSpace(s: string): string {
  return UNFOLDED.test(s) ? s.replace(RUN, " ").trim() : s;
}
