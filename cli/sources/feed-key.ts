/**
 * A key for a feed that has none: its host, then host and path, then with a number, whichever `isFree` first. The same
 * feed gets the same key as long as the others stay.
 */
export function feedKey(address: string, isFree: (key: string) => boolean): string {
  const url = new URL(address);
  const host = url.hostname.replace(/^(www|feeds?|rss)\./, "");
  const path = slug(`${url.pathname} ${url.search}`);
  const long = (path === "" ? host : `${host}-${path}`).slice(0, 120);
  for (const key of [host.slice(0, 120), long]) if (isFree(key)) return key;
  for (let n = 2; ; n++) if (isFree(`${long}-${n}`)) return `${long}-${n}`;
}

/** Words that say nothing but that it is a feed. */
const FEED_WORDS: ReadonlySet<string> = new Set(["rss", "xml", "atom", "rdf", "feed", "feeds", "index", "php", "aspx"]);

function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !FEED_WORDS.has(word)).join("-");
}
