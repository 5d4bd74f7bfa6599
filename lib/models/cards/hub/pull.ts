import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { tryExclusive } from "../../../service/process/files.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { type ModelCard, modelCard } from "../card.ts";
import { openRegistry } from "../registry.ts";
import known from "./catalogue.json" with { type: "json" };
import { download, fileUrl, type Hub, type HubFile, readRepo } from "./hub.ts";

type PullOptions = {
  hub: Hub;
  /** The folder of pulled models, `DATA_DIR/models`. */
  dir: string;
  signal: AbortSignal;
  /** Told the bytes that are there, of all. */
  onProgress?(bytes: number, total: number): void;
  /** See `download`. */
  stallMs?: number;
  pauseMs?: number;
};

/** Holds what a pull did: `present` when this very revision was there, whole. */
type Pulled = { card: ModelCard; dir: string; outcome: "pulled" | "present"; bytes: number };

/**
 * Brings a model from the hub into `dir`/name: files first, each checked, then all of it under its name at once, so
 * that a model is there whole or not at all. A pull that was broken off goes on where it stopped.
 * @throws InferenceError `hub-failed`, also while another process pulls this model, `model-altered`; the signal's
 * reason
 */
export async function pullModel(entry: CatalogueEntry, options: PullOptions): Promise<Pulled> {
  const { dir } = options;
  await mkdir(dir, { recursive: true });
  // Two that wrote the same draft would spoil what the other has checked.
  const lock = tryExclusive(join(dir, `.lock-${entry.name}`));
  if (lock === undefined) throw new InferenceError("hub-failed", `${entry.name} is being pulled already`);
  try {
    return await pullAlone(entry, options);
  } finally {
    lock.release();
  }
}

async function pullAlone(entry: CatalogueEntry, options: PullOptions): Promise<Pulled> {
  const { hub, dir, signal, onProgress } = options;
  const { commit, files } = await readRepo(hub, entry.repo, signal);
  const downloads = Object.entries(entry.files).map(([name, path]): [string, HubFile] => {
    const file = files.get(path);
    if (file === undefined) throw new InferenceError("hub-failed", `${entry.repo} has no ${path} at ${commit}`);
    return [name, file];
  });
  const total = downloads.reduce((sum, [, file]) => sum + file.bytes, 0);
  const home = join(dir, entry.name);
  const revision = commit.slice(0, 12);
  const present = await wholeModel(dir, entry);
  if (present?.revision === revision) return { card: present, dir: home, outcome: "present", bytes: total };

  const draft = join(dir, `.pulling-${entry.name}-${revision}`);
  await mkdir(draft, { recursive: true });
  await removeOthers(dir, `.pulling-${entry.name}-`, draft);
  let done = 0;
  for (const [name, file] of downloads) {
    const path = join(draft, name);
    if (!(await isThere(path))) {
      await download(fileUrl(hub, entry.repo, commit, file.path), file, path, {
        ...options,
        signal,
        onProgress: (bytes) => onProgress?.(done + bytes, total),
      });
    }
    done += file.bytes;
    onProgress?.(done, total);
  }
  const { repo, files: _paths, ...facts } = entry;
  const checked: ModelCard["files"] = {};
  for (const [name, { bytes }] of downloads) checked[name] = { sha256: await sha256Of(join(draft, name)), bytes };
  const card: ModelCard = { ...facts, revision, files: checked, trained_by: repo };
  await writeFile(join(draft, "model.json"), `${JSON.stringify(card, null, 2)}\n`);
  const old = join(dir, `.old-${entry.name}-${process.pid}`);
  if (await isThere(home)) await rename(home, old);
  await rename(draft, home);
  await rm(old, { recursive: true, force: true });
  return { card, dir: home, outcome: "pulled", bytes: total };
}

/** Returns the card of the model where it is there with every file that the entry names, each as the card says. */
async function wholeModel(dir: string, { name, files }: CatalogueEntry): Promise<ModelCard | undefined> {
  const registry = openRegistry({ dirs: [dir] });
  const card = registry.list().find((found) => found.name === name)?.card;
  if (card === undefined || Object.keys(files).some((file) => card.files[file] === undefined)) return undefined;
  return registry.verify(name).then(
    () => card,
    () => undefined,
  );
}

/** Drafts of earlier revisions are of no use any more. */
async function removeOthers(dir: string, prefix: string, keep: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    // Another model's name may begin with this one's.
    const isDraft = name.startsWith(prefix) && /^[0-9a-f]+$/.test(name.slice(prefix.length));
    if (isDraft && path !== keep) await rm(path, { recursive: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

const entry = modelCard
  .pick({
    name: true,
    task: true,
    languages: true,
    description: true,
    licence: true,
    architecture: true,
    dims: true,
    pooling: true,
    max_tokens: true,
    prefixes: true,
    translates: true,
  })
  .extend({
    /** `owner/name` on the hub. */
    repo: z.string().regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/),
    /** From the name of a file of the model to its path in the repository. */
    files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), z.string().min(1)),
  });

/** A model that can be pulled. */
export type CatalogueEntry = z.infer<typeof entry>;

/** The models that can be pulled by their names: known to be good, and of licences that allow free use. */
export const CATALOGUE: readonly CatalogueEntry[] = z.object({ models: z.array(entry) }).parse(known).models;

/** Returns the entry of this name. @throws InferenceError `model-unknown`, which names those there are */
export function catalogueEntry(name: string): CatalogueEntry {
  const match = CATALOGUE.find((each) => each.name === name);
  if (match !== undefined) return match;
  const names = CATALOGUE.map((each) => each.name).join(", ");
  throw new InferenceError("model-unknown", `no model named ${name} can be pulled; there are ${names}`, {
    model: name,
  });
}
