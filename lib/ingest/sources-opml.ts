import type { Source, SourceInput } from "../store/mod.ts";
import { type OpmlFeed, type OpmlInput, writeOpml } from "../web/feeds/mod.ts";

/** Writes the sources that have a feed as OPML. */
export function opmlOfSources(sources: readonly Source[]): { opml: string; feeds: number } {
  const feeds = sources.flatMap((source) => outlineOf(source) ?? []);
  return { opml: writeOpml({ title: "Isnad sources", createdAt: new Date(), feeds }), feeds: feeds.length };
}

function outlineOf(source: Source): OpmlInput["feeds"][number] | undefined {
  const { key, name, feedUrl, homepage, language, tier, provider, active } = source;
  if (feedUrl === null) return undefined;
  return {
    title: name,
    xmlUrl: feedUrl,
    htmlUrl: homepage,
    language,
    extra: { source_id: key, tier: String(tier), active: String(active), ...(provider !== null && { provider }) },
  };
}

/**
 * Returns the sources to make or change: each feed under the key of the file, of the source that has its address, or a
 * new one.
 */
export function sourcesOfOpml(feeds: readonly OpmlFeed[], known: readonly Source[], active: boolean): SourceInput[] {
  const taken = new Set(known.map(({ key }) => key));
  const byAddress = new Map(known.flatMap(({ feedUrl, key }) => (feedUrl === null ? [] : [[feedUrl, key]])));
  const inputs = new Map<string, SourceInput>();
  for (const feed of feeds) {
    const { title, xmlUrl, htmlUrl, language, extra } = feed;
    const key = byAddress.get(xmlUrl) ?? extra.source_id ?? feedKey(xmlUrl, (free) => !taken.has(free));
    const isNew = !taken.has(key);
    taken.add(key);
    inputs.set(key, {
      key,
      feedUrl: xmlUrl,
      ...(title !== "" && { name: title }),
      ...(htmlUrl !== null && { homepage: htmlUrl }),
      ...(language !== null && { language }),
      ...(/^[123]$/.test(extra.tier ?? "") && { tier: Number(extra.tier) }),
      ...(isNew && { provider: extra.provider ?? "rss", active: active && extra.active !== "false" }),
    });
  }
  return [...inputs.values()];
}

/**
 * Returns a key for a feed that has none: its host, then host and path, then with a number, whichever `isFree` first.
 * The same feed gets the same key as long as the others stay.
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
