import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { CommandError } from "@isnad/lib/service/cli";
import { type Config, loadTaxonomy } from "@isnad/lib/service/config";
import { readProfile, SHIPPED_PROFILES } from "../../scraper/profiles/load-profiles.ts";
import { createProfileSchema, type Profile } from "../../scraper/profiles/schema.ts";
import { profileNamed } from "./profile-named.ts";

/** A profile and the folder that it lies in. */
export interface ProfileFile {
  readonly profile: Profile;
  readonly dir: string;
}

/**
 * Reads a profile by its file, or by its name in PROFILES_DIR. Throws CommandError, a line for each thing that is wrong
 * with it.
 */
export async function profileFile(
  from: string,
  config: Pick<Config, "scraper" | "taxonomyFile">,
): Promise<ProfileFile> {
  if (!from.endsWith(".json")) {
    return { profile: await profileNamed(from, config), dir: resolve(config.scraper.profilesDir ?? SHIPPED_PROFILES) };
  }
  if (!existsSync(from)) throw new CommandError(`there is no ${from}`);
  const schema = createProfileSchema(loadTaxonomy(config.taxonomyFile).categories);
  const read = readProfile(readFileSync(from, "utf8"), basename(from), schema);
  if ("profile" in read) return { profile: read.profile, dir: resolve(dirname(from)) };
  const lines = read.problems.map(
    ({ line, field, reason }) => `${from}:${line}: ${field === "" ? "" : `${field} `}${reason}`,
  );
  throw new CommandError(lines.join("; "));
}
