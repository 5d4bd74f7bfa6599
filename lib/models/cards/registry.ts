import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import { errorMessage } from "../../std/mod.ts";
import { InferenceError } from "../runtime/errors.ts";

/** Holds what a model can be asked to do; `pieces` are what other models share. */
const TASKS = [
  "embed",
  "rerank",
  "classify",
  "tag",
  "translate",
  "transcribe",
  "morph",
  "relations",
  "dialect",
  "senses",
  "read",
  "pieces",
] as const;
export type Task = (typeof TASKS)[number];

const file = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  /** Of a graph: bits of its int8 weights that are used. */
  weight_bits: z.number().int().min(2).max(8).optional(),
});
const dataSet = z.object({ name: z.string(), licence: z.string(), used_for: z.string() });
/** Published weights that training started from, as the package that holds them has them. */
const startingWeights = z.object({
  name: z.string(),
  publisher: z.string(),
  licence: z.string(),
  package: z.string(),
  version: z.string(),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  /** Holds what about their origin could not be checked. */
  unverified: z.string(),
});
const metric = z.object({ set: z.string(), metric: z.string(), value: z.number() });
/**
 * Holds what a classified text is from: a debate, a speech or a post, whose labels are those of the public sets; or an
 * article, whose labels are those of nlp/lexicon/claims.
 */
export const GENRES = ["debate", "news"] as const;
export type Genre = (typeof GENRES)[number];

const calibration = z.object({
  lang: z.string(),
  genre: z.enum(GENRES).default("debate"),
  /** Probability: the logistic function of scale × output + bias (Platt 1999). */
  scale: z.number().positive(),
  bias: z.number(),
  threshold: z.number().min(0).max(1),
  /** From where on a sentence is kept that nobody asked about: what is kept unasked is to be right more often. */
  keep: z.number().min(0).max(1).optional(),
});

/** Schema of `model.json`. `files` names every file of the model beside the card itself. */
export const modelCard = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  revision: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  task: z.enum(TASKS),
  languages: z.array(z.string()).min(1),
  description: z.string(),
  licence: z.string(),
  dims: z.number().int().min(1).max(4096).optional(),
  architecture: z
    .enum([
      "weighted-bag",
      "encoder-classifier",
      "encoder",
      "cross-encoder",
      "encoder-chain",
      "encoder-decoder",
      "dual-encoder",
      "encoder-attention",
      "encoder-pair",
      "linear",
      "pieces",
    ])
    .optional(),
  /** Of an encoder: how its token vectors become one. */
  pooling: z.enum(["mean", "cls"]).optional(),
  count_power: z.number().min(0).max(2).optional(),
  /** Tokens of the longest text that the model reads to its end. */
  max_tokens: z.number().int().min(2).max(8192).optional(),
  /** By genre and language; the entries of a genre are in the order of the outputs that the model has for it. */
  calibration: z.array(calibration).optional(),
  /**
   * Of a contextual model: the shipped model of task `pieces`, in the folder beside its own, whose tokenizer and rows
   * it reads.
   */
  pieces: z.string().optional(),
  /** Of a model that translates: the languages that it reads and writes. */
  translates: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Of a model with `weights.bin`: layers, and outputs and inputs of the matrices of each, which it has in 4 bits. */
  packed: z
    .object({
      layers: z.number().int().positive(),
      matrices: z.array(z.tuple([z.number().int().positive(), z.number().int().positive().multipleOf(32)])).min(1),
    })
    .optional(),
  /** Of a model whose lower layers are those of another: its name, how many, and the checksum of its `weights.bin`. */
  lower: z.object({ model: z.string(), layers: z.number().int().positive(), weights: z.string() }).optional(),
  prefixes: z.object({ query: z.string(), passage: z.string() }).optional(),
  files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), file),
  /** Constants of `model.onnx` that are read without running it: where the bytes of each stand in the file. */
  constants: z
    .record(z.string(), z.object({ offset: z.number().int().min(0), bytes: z.number().int().positive() }))
    .optional(),
  starting_weights: z.array(startingWeights).optional(),
  training_data: z.array(dataSet).optional(),
  trained_by: z.string().optional(),
  measured_by: z.string().optional(),
  metrics: z.array(metric).optional(),
});

/** A model's card, as in `model.json`. */
export type ModelCard = z.infer<typeof modelCard>;

/** `name@revision`: changes whenever the vectors of one model stop being comparable with those made before. */
export function modelId(card: Pick<ModelCard, "name" | "revision">): string {
  return `${card.name}@${card.revision}`;
}

/** Returns the name in a {@link modelId}. */
export function modelName(id: string): string {
  return id.replace(/@[^@]*$/, "");
}

const FILE = "use.json";

const choices = z.partialRecord(z.enum(TASKS), z.string());

/** The model chosen for each task by `models use`. */
type Choices = z.infer<typeof choices>;

/** Reads the choices kept in the folder of pulled models; none when there is no such file.
 * @throws InferenceError `model-invalid` for a file that is damaged */
function readChoices(dir: string): Choices {
  let text: string;
  try {
    text = readFileSync(join(dir, FILE), "utf8");
  } catch {
    return {}; // nothing was ever chosen
  }
  try {
    return choices.parse(JSON.parse(text));
  } catch (cause) {
    throw new InferenceError("model-invalid", `${join(dir, FILE)} is damaged; models use writes it anew`, { cause });
  }
}

/** Keeps the choice of a model for a task, or takes it back when `name` is undefined. */
export async function writeChoice(dir: string, task: Task, name: string | undefined): Promise<void> {
  let kept: Choices = {};
  try {
    kept = readChoices(dir);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
  }
  const next = { ...kept, [task]: name };
  await mkdir(dir, { recursive: true });
  const draft = join(dir, `.${FILE}-${process.pid}`);
  await writeFile(draft, `${JSON.stringify(next, null, 2)}\n`);
  await rename(draft, join(dir, FILE));
}

function missing(card: ModelCard, file: string, cause: unknown): InferenceError {
  return new InferenceError("model-missing", `${card.name}: ${file} is missing or unreadable`, {
    model: card.name,
    cause,
  });
}

function altered(card: ModelCard, file: string, what: string): InferenceError {
  return new InferenceError("model-altered", `${card.name}: ${file} ${what}; restore it or install the model again`, {
    model: card.name,
  });
}

function expectedOf(card: ModelCard, file: string): { sha256: string; bytes: number } {
  const expected = card.files[file];
  if (expected === undefined) {
    throw new InferenceError("model-invalid", `${card.name}: model.json names no ${file}`, { model: card.name });
  }
  return expected;
}

/**
 * Returns the bytes of a model's file, once length and SHA-256 agree with the card.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` (the card does not name the file)
 */
export async function readVerified(dir: string, card: ModelCard, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const expected = expectedOf(card, file);
  const bytes = await readFile(join(dir, file)).catch((cause: unknown) => {
    throw missing(card, file, cause);
  });
  if (bytes.length !== expected.bytes) throw altered(card, file, `has ${bytes.length} bytes, not ${expected.bytes}`);
  const checksum = createHash("sha256").update(bytes).digest("hex");
  if (checksum !== expected.sha256) throw altered(card, file, "does not have the checksum of its card");
  return bytes;
}

/** Bytes of a file that are read at a time. */
const PIECE_BYTES = 262_144;

/** Checks a file as {@link readVerified} does, in pieces, without keeping it in memory. */
export async function verifyFile(dir: string, card: ModelCard, file: string): Promise<void> {
  const expected = expectedOf(card, file);
  const path = join(dir, file);
  const { size } = await stat(path).catch((cause: unknown) => {
    throw missing(card, file, cause);
  });
  if (size !== expected.bytes) throw altered(card, file, `has ${size} bytes, not ${expected.bytes}`);
  const hash = createHash("sha256");
  // One buffer for all pieces: a stream leaves as many behind as the file has.
  const piece = new Uint8Array(PIECE_BYTES);
  await using handle = await open(path);
  for (let read = await handle.read(piece); read.bytesRead > 0; read = await handle.read(piece)) {
    hash.update(piece.subarray(0, read.bytesRead));
  }
  if (hash.digest("hex") !== expected.sha256) throw altered(card, file, "does not have the checksum of its card");
}

/** The folder of the models that ship with the platform. */
export const SHIPPED_MODELS: string = fileURLToPath(new URL("../../../nlp/models/", import.meta.url));

/** A model found in one of the folders; `problem` instead of `card` where its card cannot be used. */
export type RegistryEntry =
  | { name: string; dir: string; card: ModelCard; problem?: undefined }
  | { name: string; dir: string; card?: undefined; problem: string };

/** The models at hand: one folder a model, each with its card `model.json`. */
export interface Registry {
  /** Returns every model found, the broken ones too, by name. */
  list(): RegistryEntry[];
  /** @throws InferenceError `model-unknown`, `model-invalid` */
  card(name: string): ModelCard;
  /** Returns the model's folder. @throws as card() */
  dir(name: string): string;
  /** Returns whether the model ships with the platform, and so is known to run. @throws as card() */
  isShipped(name: string): boolean;
  /** Compares every file of the model with the checksums of its card.
   * @throws InferenceError `model-missing`, `model-altered`, and as card() */
  verify(name: string): Promise<void>;
  /** Returns the bytes of a model's file, compared with the checksum of its card. @throws as verify() */
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

/**
 * Tells whether an entry is a folder or a link to one. A link that leads nowhere counts: its model is named as broken.
 */
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
