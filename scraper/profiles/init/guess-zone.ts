import { offsetAt } from "@isnad/lib/text/dates";
import { siteOf } from "../../../lib/extraction/page/addresses.ts";
import type { PageInspection } from "../../../lib/extraction/discovery/inspect-page.ts";

/** A time zone, and how it came to be chosen. */
export interface ZoneGuess {
  /** IANA name. */
  readonly zone: string;
  readonly isSure: boolean;
  readonly why: string;
}

/** Holds what a site shows of where it is. */
export interface ZoneClues {
  readonly host: string;
  /** Locales as pages and feeds declare them: `ar_EG`, `en-GB`, `ar`. */
  readonly locales: readonly string[];
  /** Minutes east of UTC of the clocks that wrote the times of its feeds and pages. */
  readonly offsets: readonly number[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Two-letter top levels that say nothing of a country. */
const NO_COUNTRY = new Set(["ac", "ai", "cc", "co", "eu", "fm", "gg", "im", "io", "me", "su", "to", "tv", "ws"]);
/** Says where a country has several zones: the one of its press. */
const PRESS: Readonly<Record<string, string>> = {
  AU: "Australia/Sydney",
  BR: "America/Sao_Paulo",
  CA: "America/Toronto",
  DE: "Europe/Berlin",
  ES: "Europe/Madrid",
  ID: "Asia/Jakarta",
  KZ: "Asia/Almaty",
  MX: "America/Mexico_City",
  PS: "Asia/Gaza",
  PT: "Europe/Lisbon",
  RU: "Europe/Moscow",
  UA: "Europe/Kyiv",
  US: "America/New_York",
};

/**
 * Guesses a site's time zone: by the country of its top level domain or locales, against the offsets of its feed times.
 * Without a country the offset itself, which knows no daylight saving; without either UTC.
 */
export function guessZone({ host, locales, offsets, now }: ZoneClues): ZoneGuess {
  const own = offsets.filter((offset) => offset !== 0);
  const usual = mostFrequent(own);
  const written = usual === undefined ? "" : `times are written ${offsetText(usual)}`;
  for (const [country, why] of countriesOf(host, locales)) {
    const zones = zonesOf(country);
    const agreeing = zones.filter((zone) => own.includes(offsetAt(zone, now)));
    const press = PRESS[country] ?? "";
    const usualZone = zones.includes(press) ? press : zones[0];
    const zone = agreeing.includes(usualZone ?? "") ? usualZone : (agreeing[0] ?? usualZone);
    if (zone === undefined) continue;
    const agrees = agreeing.includes(zone);
    const isSure = agrees || (own.length === 0 && zones.length === 1);
    if (own.length > 0 && !agrees) return byOffset(usual, `${why}, but ${written}`);
    return { zone, isSure, why: agrees ? `${why}, and ${written}` : why };
  }
  return usual === undefined
    ? { zone: "UTC", isSure: false, why: "nothing shows where the site is" }
    : byOffset(usual, written);
}

/** Returns the offsets that a feed's times are written with, in minutes east of UTC; `Z` and GMT are 0. */
export function offsetsIn(feed: string): number[] {
  const times = /<(?:pubDate|published|updated|dc:date|lastBuildDate)\b[^<>]*>([^<]{0,60})</gi;
  return [...feed.slice(0, MAX_FEED).matchAll(times)].flatMap(([, time = ""]) => {
    const numeric = /([+-])(\d\d):?(\d\d)\s*$/.exec(time);
    if (numeric === null) return /(?:\d\s*Z|GMT|UTC?)\s*$/i.test(time) ? [0] : [];
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
    return [numeric[1] === "-" ? -minutes : minutes];
  });
}

const MAX_FEED = 500_000;

function countriesOf(host: string, locales: readonly string[]): [country: string, why: string][] {
  const top = host.split(".").at(-1)?.toLowerCase() ?? "";
  const byHost = /^[a-z]{2}$/.test(top) && !NO_COUNTRY.has(top) ? (top === "uk" ? "GB" : top.toUpperCase()) : undefined;
  const byLocale = locales.flatMap((locale): [string, string][] => {
    const [, language = "", region = ""] = /^([a-z]{2,3})[-_]([a-z]{2})$/i.exec(locale.trim()) ?? [];
    // ar_AR is what Facebook calls Arabic, en_US what many themes say of any site.
    const isReal = region !== "" && !/^(?:ar[-_]ar|en[-_]us)$/i.test(`${language}_${region}`);
    return isReal ? [[region.toUpperCase(), `the site's locale is ${locale}`]] : [];
  });
  return [...(byHost === undefined ? [] : [[byHost, `the domain is .${top}`] as [string, string]]), ...byLocale];
}

function zonesOf(country: string): readonly string[] {
  try {
    return new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function byOffset(offset: number | undefined, why: string): ZoneGuess {
  const hours = (offset ?? 0) / 60;
  // The signs of these zones are those of POSIX, west of Greenwich.
  const zone = Number.isInteger(hours) && hours !== 0 ? `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}` : "UTC";
  return { zone, isSure: false, why: `${why}; name the city's zone, so that daylight saving is known` };
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

function offsetText(offset: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const DECORATION = /^(?:home(?:page)?|الرئيسية|الصفحة الرئيسية|rss|feed|latest news|آخر الأخبار)$/i;

/**
 * Returns the name of a site as readers know it: as its page says, else its feed, else its title without what decorates
 * it, else its host.
 */
export function siteName(
  home: Pick<PageInspection, "siteName" | "title"> | null,
  feedTitle: string,
  host: string,
): string {
  const parts = (text: string) =>
    text
      .slice(0, 500)
      .split(/\s+[|\-–—·»:]+\s+/u)
      .map((part) => part.trim())
      .filter((part) => part !== "" && !DECORATION.test(part));
  const candidates = [home?.siteName ?? "", parts(feedTitle)[0] ?? "", parts(home?.title ?? "")[0] ?? "", host];
  return (candidates.find((name) => name !== "") ?? host).slice(0, 200);
}

/** Returns a name for the profile of a site: its host without what is common, and the language. */
export function profileName(host: string, language: string): string {
  const bare = host.toLowerCase().replace(/^www\d?\./, "");
  const site = /^[\d.]+$/.test(bare) ? bare : (siteOf(bare).split(".")[0] ?? bare);
  const slug = site.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${slug.slice(0, 58) || "source"}-${language}`;
}

/** Counts how often to look for news, by the times of entries: a cron expression. */
export function scheduleFor(times: readonly (string | null)[], now: number): string {
  const ofDay = times.filter((time) => time !== null && now - Date.parse(time) < 86_400_000).length;
  if (ofDay >= 30) return "*/15 * * * *";
  return ofDay >= 5 ? "*/30 * * * *" : "7 * * * *";
}
