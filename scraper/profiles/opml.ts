import type { Taxonomy } from "@isnad/lib/service/config";
import { LIMITS } from "@isnad/lib/contract";
import type { OpmlFeed, OpmlInput } from "@isnad/lib/web/feeds";
import { detectLanguage } from "@isnad/lib/text";
import { siteOf } from "../../lib/extraction/page/addresses.ts";
import { guessZone, profileName, siteName } from "./init/guess-zone.ts";
import { createProfileSchema, type Profile } from "./schema.ts";

/** A profile as it goes into its file. */
type ProfileDraft = Readonly<Record<string, unknown>> & { readonly name: string };

/** Returns the feeds of profiles as OPML; what a profile has beyond it goes into attributes of our own. */
export function opmlOf(profiles: readonly Profile[]): OpmlInput["feeds"] {
  return profiles.flatMap(({ name, provider, language, source, feeds }) =>
    feeds.map(({ url, category }) => ({
      title: source.name,
      xmlUrl: url,
      htmlUrl: source.homepage,
      language,
      categories: category === undefined ? [] : [category],
      extra: { profile: name, provider, source_id: source.id, tier: String(source.tier) },
    })),
  );
}

interface DraftOptions {
  readonly taxonomy: Pick<Taxonomy, "categories" | "mapLabel">;
  /** Tells whether a name is still to be had. */
  readonly isFree: (name: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Drafts of profiles for the feeds of an OPML file, one for each site and language with its first hundred feeds,
 * disabled until somebody has looked at them. A file written by {@link opmlOf} brings names, providers, source ids and
 * tiers along.
 */
export function draftsOf(feeds: readonly OpmlFeed[], { taxonomy, isFree, now }: DraftOptions): ProfileDraft[] {
  const taken = new Set<string>();
  const schema = createProfileSchema(taxonomy.categories);
  const groups = [...Map.groupBy(feeds, groupOf).values()];
  return groups.map((group) => {
    const [first] = group;
    if (first === undefined) throw new TypeError("a group without a feed");
    const host = hostOf(first);
    const language = languageOf(group);
    const name = freeName(
      first.extra.profile ?? profileName(host, language),
      (each) => !taken.has(each) && isFree(each),
    );
    taken.add(name);
    const { provider = name, source_id = name, tier } = first.extra;
    const homepage = first.htmlUrl ?? new URL("/", first.xmlUrl).href;
    const draft = {
      $schema: "./profile.schema.json",
      name,
      provider: SLUG.test(provider) ? provider : name,
      enabled: false,
      language,
      schedule: "*/30 * * * *",
      timezone: guessZone({ host, locales: group.map((feed) => feed.language ?? ""), offsets: [], now }).zone,
      source: {
        id: source_id.slice(0, LIMITS.sourceId) || name,
        name: siteName(null, first.title, host),
        tier: tier === "1" || tier === "2" ? Number(tier) : 3,
        homepage,
      },
      feeds: group.slice(0, MAX_FEEDS).map((feed) => feedOf(feed, taxonomy)),
    };
    schema.parse(draft);
    return draft;
  });
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_FEEDS = 100;

function groupOf(feed: OpmlFeed): string {
  return feed.extra.profile ?? `${siteOf(hostOf(feed))} ${languageOf([feed])}`;
}

function hostOf({ htmlUrl, xmlUrl }: OpmlFeed): string {
  return new URL(htmlUrl ?? xmlUrl).hostname;
}

/** As a feed declares it, else as its titles are written. */
function languageOf(feeds: readonly OpmlFeed[]): "ar" | "en" {
  const declared = feeds.map(({ language }) => /^(ar|en)\b/i.exec(language ?? "")?.[1]?.toLowerCase());
  const code = declared.find((each) => each !== undefined);
  if (code === "ar" || code === "en") return code;
  return detectLanguage(feeds.map(({ title, description }) => `${title} ${description}`).join(" ")).lang === "ar"
    ? "ar"
    : "en";
}

function freeName(name: string, isFree: (name: string) => boolean): string {
  const base = SLUG.test(name) ? name : profileName(name, "x").replace(/-x$/, "");
  for (let n = 1; ; n++) {
    const each = n === 1 ? base : `${base.slice(0, 58)}-${n}`;
    if (isFree(each)) return each;
  }
}

function feedOf({ xmlUrl, folders, categories }: OpmlFeed, taxonomy: Pick<Taxonomy, "mapLabel">) {
  const labels = [...categories, ...folders.toReversed()].map((label) => label.split("/").at(-1) ?? "");
  const [category] = labels.flatMap((label) => taxonomy.mapLabel("", label)?.categoryId ?? []);
  return { url: xmlUrl, ...(category !== undefined && { category }) };
}
