import { writeFileSync } from "node:fs";
import { type CommandContext, CommandError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { writeOpml } from "@isnad/lib/web/feeds";
import { loadProfiles, SHIPPED_PROFILES } from "../../scraper/profiles/load-profiles.ts";
import { opmlOf } from "../../scraper/profiles/opml.ts";
import type { ProfileValues } from "./profile-values.ts";

/** `scraper:profile export`: writes the feeds of all profiles as OPML. */
export async function exportCommand(
  _: string,
  { out }: ProfileValues,
  { env, json, stdout, stderr }: CommandContext,
): Promise<number> {
  const { scraper, taxonomyFile } = loadConfig(env);
  const { profiles, problems } = await loadProfiles(
    scraper.profilesDir ?? SHIPPED_PROFILES,
    loadTaxonomy(taxonomyFile),
  );
  for (const { file, line, reason } of problems) stderr.write(`${file}:${line}: ${reason}\n`);
  const feeds = opmlOf([...profiles.values()]);
  const without = [...profiles.values()].filter((profile) => profile.feeds.length === 0).map(({ name }) => name);
  if (without.length > 0) stderr.write(`left out, as they have no feed: ${without.join(", ")}\n`);
  const opml = writeOpml({ title: "Isnad profiles", createdAt: new Date(), feeds });
  if (out !== undefined) write(out, opml);
  if (json)
    writeJson(stdout, { feeds: feeds.length, left_out: without, ...(out === undefined ? { opml } : { file: out }) });
  else stdout.write(out === undefined ? opml : `${feeds.length} feeds written to ${out}\n`);
  return 0;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}
