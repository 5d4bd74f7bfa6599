import { aliasGroup, isCountry } from "../aliases.ts";
import { nationality } from "./arabic-words.ts";

/** A contest of the table in a year, at a host: مونديال روسيا 2018. */
type Edition = { contest: string; year: string; host: string };

/**
 * The key of the contest for the keys of events that name it, or its one edition that a text speaks of: كأس العالم and
 * مونديال روسيا 2018; nothing where it speaks of several.
 */
export function editions(events: readonly string[]): Map<string, string> {
  const all = new Map<string, Edition>();
  for (const key of events) {
    const edition = editionOf(key);
    if (edition !== undefined) all.set(key, edition);
  }
  const same = new Map<string, string>();
  for (const [contest, own] of Map.groupBy(all, ([, edition]) => edition.contest)) {
    const isOne = (["year", "host"] as const).every(
      (part) => new Set(own.flatMap(([, edition]) => edition[part] || [])).size <= 1,
    );
    if (isOne && own.length > 1) for (const [key] of own) same.set(key, contest);
  }
  return same;
}

function editionOf(key: string): Edition | undefined {
  const [, plain = "", year = ""] = /^(.+?)(?: (\d{4}))?$/.exec(key) ?? [];
  const words = plain.split(" ");
  for (let length = words.length; length > 0; length--) {
    const group = aliasGroup(words.slice(0, length).join(" "), "other");
    const host = words.slice(length).join(" ");
    if (group?.kind === "other" && (host === "" || isCountry(host))) {
      return { contest: group.keys[0] ?? plain, year, host };
    }
  }
  return undefined;
}

function isOfCountry(name: string): boolean {
  const [league, of = ""] = name.split(" ");
  return league === "دوري" && nationality(of) !== undefined && !/^ال(?:اوروبي|عربي|اسيوي|افريقي)$/.test(of);
}

/** The one key among those of events that is the league which is called by its rank alone: الدوري الممتاز. */
export function leagueOf(key: string, events: readonly string[]): string | undefined {
  if (!/^دوري (?:ممتاز|الممتاز|المحلي|الوطني)$/.test(key)) return undefined;
  const leagues = events.filter((other) => {
    const names = aliasGroup(other, "other")?.keys ?? [other];
    return other !== key && names.some((name) => isOfCountry(name));
  });
  return leagues.length === 1 ? leagues[0] : undefined;
}
