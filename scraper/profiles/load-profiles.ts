import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Taxonomy } from "@isnad/lib/service/config";
import { type ProfileProblem, readProfile } from "./read-profile.ts";
import { createProfileSchema, type Profile } from "./schema.ts";

/** The profiles of a folder by name, in its order, and what is wrong with the files that were passed over. */
export type LoadedProfiles = { profiles: ReadonlyMap<string, Profile>; problems: readonly ProfileProblem[] };

/** The schema's own file lies among the profiles. */
export const SCHEMA_FILE = "profile.schema.json";

/** A profile is a few kilobytes. */
const MAX_BYTES = 1_000_000;

/**
 * Reads every `*.json` of the folder. A file that is no valid profile is passed over, whatever it held before; so is
 * one whose `source.id` another has: the one of the profiles in force (`inForce`) that has it already, else the first
 * by file name. Rejects when the folder cannot be read.
 */
export async function loadProfiles(
  dir: string,
  { categories }: Pick<Taxonomy, "categories">,
  { inForce = new Map() }: { inForce?: ReadonlyMap<string, Profile> } = {},
): Promise<LoadedProfiles> {
  const schema = createProfileSchema(categories);
  const names = await readdir(dir);
  const files = names.filter((name) => name.endsWith(".json") && !name.startsWith(".") && name !== SCHEMA_FILE).sort();
  const problems: ProfileProblem[] = [];
  const candidates: { file: string; profile: Profile; line: number }[] = [];
  for (const file of files) {
    const text = await textOf(join(dir, file));
    if (typeof text !== "string") {
      problems.push({ file, line: 1, field: "", reason: text.unreadable });
      continue;
    }
    const result = readProfile(text, file, schema);
    if ("problems" in result) problems.push(...result.problems);
    else candidates.push({ file, profile: result.profile, line: result.sourceLine });
  }
  const holders = new Map(candidates.toReversed().map(({ profile }) => [profile.source.id, profile.name]));
  for (const { profile } of candidates) {
    const { name, source } = profile;
    if (inForce.get(name)?.source.id === source.id) holders.set(source.id, name);
  }
  const profiles = new Map<string, Profile>();
  for (const { file, profile, line } of candidates) {
    const { id } = profile.source;
    const holder = holders.get(id);
    if (holder === profile.name) profiles.set(profile.name, profile);
    else {
      const reason = `"${id}" is the source of ${holder}.json already`;
      problems.push({ file, line, field: "source.id", reason, ...(holder !== undefined && { sourceOf: holder }) });
    }
  }
  return { profiles, problems };
}

async function textOf(path: string): Promise<string | { unreadable: string }> {
  try {
    const facts = await stat(path);
    // Opening a pipe waits for somebody to write to it.
    if (!facts.isFile()) return { unreadable: "is no file" };
    if (facts.size > MAX_BYTES) return { unreadable: `is larger than ${MAX_BYTES} bytes` };
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) return { unreadable: "is not UTF-8" };
    if (error instanceof Error && "code" in error) return { unreadable: `cannot be read: ${String(error.code)}` };
    throw error;
  }
}
