import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { errorMessage } from "../../std/mod.ts";
import { type ModelCard, modelCard, type Task } from "./card.ts";
import { readChoices } from "./choice.ts";
import { InferenceError } from "../runtime/errors.ts";
import { readVerified, verifyFile } from "./verified-file.ts";

/** The folder of the models that ship with the platform. */
export const SHIPPED_MODELS: string = fileURLToPath(new URL("../../../nlp/models/", import.meta.url));

/** A model found in one of the folders; `problem` instead of `card` where its card cannot be used. */
export type RegistryEntry =
  | { name: string; dir: string; card: ModelCard; problem?: undefined }
  | { name: string; dir: string; card?: undefined; problem: string };

/** The models at hand: one folder a model, each with its card `model.json`. */
export interface Registry {
  /** Every model found, the broken ones too, by name. */
  list(): RegistryEntry[];
  /** @throws InferenceError `model-unknown`, `model-invalid` */
  card(name: string): ModelCard;
  /** The model's folder. @throws as card() */
  dir(name: string): string;
  /** Returns whether the model ships with the platform, and so is known to run. @throws as card() */
  isShipped(name: string): boolean;
  /** Compares every file of the model with the checksums of its card.
   * @throws InferenceError `model-missing`, `model-altered`, and as card() */
  verify(name: string): Promise<void>;
  /** The bytes of a model's file, compared with the checksum of its card. @throws as verify() */
  read(name: string, file: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Name of the model for a task when no setting names one: that of `models use`, else the first there is.
   * @throws InferenceError `model-unknown`; `model-invalid` when the chosen one cannot be used */
  default(task: Task): string;
}

function readEntry(dir: string, name: string): RegistryEntry {
  try {
    const parsed = modelCard.safeParse(JSON.parse(readFileSync(join(dir, "model.json"), "utf8")));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { name, dir, problem: `model.json: ${issue?.path.join(".")}: ${issue?.message}` };
    }
    if (parsed.data.name !== name) return { name, dir, problem: `model.json is the card of ${parsed.data.name}` };
    return { name, dir, card: parsed.data };
  } catch (error) {
    return { name, dir, problem: `model.json: ${errorMessage(error)}` };
  }
}

function subfolders(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => isFolder(entry) && !entry.name.startsWith("."))
      .map((entry) => entry.name);
  } catch {
    return []; // a folder that is not there holds no models
  }
}

/** Whether an entry is a folder or a link to one. A link that leads nowhere counts: its model is named as broken. */
function isFolder(entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? true;
}

/** Reads the cards of all models under `dirs`: by default the shipped ones, and `dataDir`/models where it is given.
 * A name found twice means the one in the later folder. */
export function openRegistry(options: { dirs?: readonly string[]; dataDir?: string } = {}): Registry {
  const dirs = options.dirs ?? [SHIPPED_MODELS, ...(options.dataDir ? [join(options.dataDir, "models")] : [])];
  const entries = new Map<string, RegistryEntry>();
  for (const dir of dirs) {
    for (const name of subfolders(dir)) entries.set(name, readEntry(join(dir, name), name));
  }

  const entry = (name: string): RegistryEntry & { card: ModelCard } => {
    const model = entries.get(name);
    if (model === undefined) {
      throw new InferenceError("model-unknown", `no model named ${name} in ${dirs.join(", ")}`, { model: name });
    }
    if (model.card === undefined) {
      throw new InferenceError("model-invalid", `${name}: ${model.problem}`, { model: name });
    }
    return model;
  };

  return {
    list: () => [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    card: (name) => entry(name).card,
    dir: (name) => entry(name).dir,
    isShipped: (name) => entry(name).dir.startsWith(SHIPPED_MODELS),
    async verify(name) {
      const { dir, card } = entry(name);
      for (const file of Object.keys(card.files)) await verifyFile(dir, card, file);
    },
    read(name, file) {
      const { dir, card } = entry(name);
      return readVerified(dir, card, file);
    },
    default(task) {
      const chosen = dirs.map((dir) => readChoices(dir)[task]).findLast((name) => name !== undefined);
      if (chosen !== undefined) {
        if (entry(chosen).card.task === task) return chosen;
        throw new InferenceError("model-invalid", `${chosen}, chosen for ${task}, is a model for another task`, {
          model: chosen,
        });
      }
      for (const model of entries.values()) if (model.card?.task === task) return model.name;
      const broken = [...entries.values()].flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : []));
      const unusable = broken.length > 0 ? `; not usable: ${broken.join("; ")}` : "";
      throw new InferenceError("model-unknown", `no model for the task ${task} in ${dirs.join(", ")}${unusable}`);
    },
  };
}
