import type { PageInspection } from "../../../lib/extraction/discovery/mod.ts";
import { siteOf } from "../../../lib/extraction/page/site.ts";

const DECORATION = /^(?:home(?:page)?|الرئيسية|الصفحة الرئيسية|rss|feed|latest news|آخر الأخبار)$/i;

/**
 * The name of a site as readers know it: as its page says, else its feed, else its title without what decorates it,
 * else its host.
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

/** A name for the profile of a site: its host without what is common, and the language. */
export function profileName(host: string, language: string): string {
  const bare = host.toLowerCase().replace(/^www\d?\./, "");
  const site = /^[\d.]+$/.test(bare) ? bare : (siteOf(bare).split(".")[0] ?? bare);
  const slug = site.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${slug.slice(0, 58) || "source"}-${language}`;
}

/** How often to look for news, by the times of entries: a cron expression. */
export function scheduleFor(times: readonly (string | null)[], now: number): string {
  const ofDay = times.filter((time) => time !== null && now - Date.parse(time) < 86_400_000).length;
  if (ofDay >= 30) return "*/15 * * * *";
  return ofDay >= 5 ? "*/30 * * * *" : "7 * * * *";
}
