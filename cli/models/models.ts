import { defineCommand, UsageError } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { openRegistry } from "../../lib/models/cards/registry.ts";
import { list } from "./list.ts";
import { pull } from "./pull.ts";
import { use } from "./use.ts";
import { verify } from "./verify.ts";

/** `models list|verify|pull|use`. */
export const models = defineCommand({
  name: "models",
  summary: "List, check, pull and choose models.",
  positionals: { usage: "list | verify [NAME…] | pull NAME… | use NAME", min: 1, max: 100 },
  options: { available: { kind: "flag", help: "list also the models that can be pulled" } },
  details: `Models are looked for in nlp/models and in DATA_DIR/models. verify compares files with the checksums of their
cards, of every model when none is named. pull brings models from the hub (MODELS_HUB_URL) into DATA_DIR/models, going on
where a broken pull stopped. use makes a model the one for its task, once it could be started here; EMBED_MODEL and the
like still win over it. The last column of list says which models this version runs.`,
  async run({ values, positionals: [action = "", ...names] }, context) {
    const { dataDir } = loadConfig(context.env);
    const registry = openRegistry({ dataDir });
    const [name] = names;
    if (action === "list" && name === undefined) return list(registry, values.available, context);
    if (action === "verify") return verify(registry, names, context);
    if (action === "pull" && name !== undefined) return pull(names, context);
    if (action === "use" && name !== undefined && names.length === 1) return use(registry, name, dataDir, context);
    throw new UsageError(
      { list: "list takes no names", pull: "pull takes the names of models", use: "use takes the name of one model" }[
        action
      ] ?? `${action}: not one of list, verify, pull, use`,
    );
  },
});
