import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CommandContext, CommandError, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { draftsOf } from "../../scraper/profiles/opml.ts";
import { readOpmlFile } from "../sources/opml-file.ts";
import type { ProfileValues } from "./profile-values.ts";
import { profileText, writeNew } from "./write-new.ts";

/** `scraper:profile import FILE.opml`: drafts a profile for each site of an OPML file. */
export async function importCommand(
  path: string,
  { out }: ProfileValues,
  { env, json, stdout, stderr }: CommandContext,
): Promise<number> {
  if (out === undefined) throw new UsageError("--out names the folder that the drafts go to");
  if (!existsSync(out)) throw new CommandError(`there is no folder ${out}`);
  const { feeds, problems } = readOpmlFile(path);
  const taxonomy = loadTaxonomy(loadConfig(env).taxonomyFile);
  const drafts = draftsOf(feeds, {
    taxonomy,
    isFree: (name) => !existsSync(join(out, `${name}.json`)),
    now: Date.now(),
  });
  const files = drafts.map((draft) => {
    const file = join(out, `${draft.name}.json`);
    if (!writeNew(file, profileText(draft))) throw new CommandError(`${file} is there already`);
    return file;
  });
  for (const { title, reason, address } of problems) stderr.write(`${title || "an outline"}: ${reason} ${address}\n`);
  if (json) writeJson(stdout, { files, feeds: feeds.length, problems });
  else {
    for (const file of files) stdout.write(`+ ${file}\n`);
    stdout.write(`${files.length} drafts of ${feeds.length} feeds, disabled; check each with scraper:profile check\n`);
  }
  return files.length > 0 ? 0 : 1;
}
