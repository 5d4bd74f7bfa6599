import { type CommandContext, defineCommand, writeJson } from "@isnad/lib/service/cli";
import type { Store } from "@isnad/lib/store";
import { openCommandStore } from "./open-store.ts";
import { sourceKey } from "./source-fields.ts";

/** What is done to each of the sources; false where there is none of that key. */
type Act = (states: Store["sourceStates"], key: string) => Promise<boolean>;

/** `sources:enable`: switches sources on. */
export const sourcesEnable = defineCommand({
  name: "sources:enable",
  summary: "Switches sources on: they are pulled and scheduled again.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details:
    "A source that the scraper brings follows its profile's schedule; one of the workers is pulled when it is due.",
  run: ({ positionals }, context) =>
    toEach(positionals, context, "enabled", async (states, key) => (await states.switch(key, true)) !== undefined),
});

/** `sources:disable`: switches sources off. */
export const sourcesDisable = defineCommand({
  name: "sources:disable",
  summary: "Switches sources off: they are neither pulled nor scheduled.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details:
    "What waits of a source is dropped, what is in work ends. Its articles stay, and sources:enable brings it back.",
  run: ({ positionals }, context) =>
    toEach(positionals, context, "disabled", async (states, key) => (await states.switch(key, false)) !== undefined),
});

/** `sources:remove`: removes sources. */
export const sourcesRemove = defineCommand({
  name: "sources:remove",
  summary: "Removes sources; their articles stay.",
  positionals: { usage: "KEY…", min: 1, max: 1000 },
  options: {},
  details: `
A removed source is neither pulled nor scheduled, whatever a profile of the scraper says, until somebody registers it
again (crawl:source --create, sources:import, scraper:sync-sources --again, the API).`,
  run: ({ positionals }, context) => toEach(positionals, context, "removed", (states, key) => states.remove(key)),
});

async function toEach(keys: readonly string[], context: CommandContext, done: string, act: Act): Promise<number> {
  const { env, json, stdout, stderr } = context;
  const distinct = [...new Set(keys.map(sourceKey))];
  await using opened = await openCommandStore(env);
  const reached: string[] = [];
  const unknown: string[] = [];
  for (const key of distinct) {
    if (await act(opened.store.sourceStates, key)) reached.push(key);
    else unknown.push(key);
  }
  if (json) writeJson(stdout, { [done]: reached, unknown });
  else {
    for (const key of reached) stdout.write(`${key}: ${done}\n`);
    for (const key of unknown) stderr.write(`${key}: there is no such source\n`);
  }
  return unknown.length === 0 ? 0 : 1;
}
