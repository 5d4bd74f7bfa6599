import { join } from "node:path";
import { type CommandContext, CommandError, writeJson } from "@isnad/lib/service/cli";
import { writeChoice } from "../../lib/models/cards/choice.ts";
import { openRegistry, type Registry, SHIPPED_MODELS } from "../../lib/models/cards/registry.ts";
import { canChoose, canRun, tryOut } from "./runs.ts";

/** What has to be done once another model is in use, by task. */
const AFTERWARDS: Partial<Record<string, string>> = {
  embed: "Start the services again; `bun run search:reindex` then embeds every article anew.",
};

/**
 * `models use NAME`: makes a model that is at hand the one for its task, once its files are as its card says and it
 * could be started. A shipped model takes the place of any choice made before. Throws CommandError for one that this
 * version cannot run.
 */
export async function use(registry: Registry, name: string, dataDir: string, context: CommandContext): Promise<number> {
  const card = registry.card(name);
  const { task } = card;
  if (!canRun(card)) {
    throw new CommandError(`${name} is at hand, but this version cannot run it yet`);
  }
  if (!canChoose(task)) {
    throw new CommandError(`the linguistic service uses its model for ${task} by name; there is none to choose`);
  }
  await registry.verify(name);
  await tryOut(registry, name);
  const shipped = openRegistry({ dirs: [SHIPPED_MODELS] });
  const isDefault = shipped.list().some((entry) => entry.name === name) && shipped.default(task) === name;
  await writeChoice(join(dataDir, "models"), task, isDefault ? undefined : name);
  const then = AFTERWARDS[task] ?? "Start the services again.";
  if (context.json) writeJson(context.stdout, { task, model: name });
  else context.stdout.write(`${name} is the model for ${task} now. ${then}\n`);
  return 0;
}
