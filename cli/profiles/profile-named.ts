import { CommandError } from "@isnad/lib/service/cli";
import { type Config, loadTaxonomy } from "@isnad/lib/service/config";
import { loadProfiles, SHIPPED_PROFILES } from "../../scraper/profiles/load-profiles.ts";
import type { Profile } from "../../scraper/profiles/schema.ts";

/**
 * The profile of that name, out of PROFILES_DIR. Throws CommandError, which says what is wrong with its file where it
 * has one.
 */
export async function profileNamed(
  name: string,
  { scraper, taxonomyFile }: Pick<Config, "scraper" | "taxonomyFile">,
): Promise<Profile> {
  const { profiles, problems } = await loadProfiles(
    scraper.profilesDir ?? SHIPPED_PROFILES,
    loadTaxonomy(taxonomyFile),
  );
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const problem = problems.find(({ file }) => file === `${name}.json`);
  if (problem === undefined)
    throw new CommandError(`there is no profile ${name}; there are ${[...profiles.keys()].join(", ")}`);
  const { file, line, field, reason } = problem;
  throw new CommandError(`${file}:${line}: ${field === "" ? "" : `${field} `}${reason}`);
}
