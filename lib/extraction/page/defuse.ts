const STRAY_BRACKET = /<(?![a-z/!?])/gi;
const STRAY_BRACKETS_KEPT = 1000;
const LONG_TAG = /<([a-z][a-z0-9]*)\s[^<>]{20000,}>/gi;
const ATTRIBUTES_KEPT = 500;

/**
 * Takes out of a page what makes the parser quadratic: stray `<` by the thousand become spaces, and a tag with more
 * than 500 attributes loses all of them. Other pages come back unchanged.
 */
export function defuse(html: string): string {
  let out = html;
  if ((out.match(STRAY_BRACKET)?.length ?? 0) > STRAY_BRACKETS_KEPT) out = out.replace(STRAY_BRACKET, " ");
  return out.replace(LONG_TAG, (tag, name: string) =>
    (tag.match(/\s[^\s=]+/g)?.length ?? 0) > ATTRIBUTES_KEPT ? `<${name}>` : tag,
  );
}
