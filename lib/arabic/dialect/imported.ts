import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { CorpusSentence, type Sentences } from "./sentence.ts";

/** The first line of an imported corpus; `sha256` is of all that follows it. */
const Head = z.object({
  format: z.literal(1),
  corpus: z.string(),
  licence: z.string(),
  imported_at: z.string(),
  sentences: z.int(),
  sha256: z.string(),
});
export type ImportedHead = z.output<typeof Head>;

/** A corpus that the operator has brought in. Its sentences are kept as bytes, and read when they are asked for. */
export type ImportedCorpus = { head: ImportedHead; sentences: Sentences };

const MAX_HEAD = 4096;

/** Where the corpus is that takes the place of the one that ships. */
export function importedPath(dataDir: string): string {
  return join(dataDir, "lexicon", "nabra.jsonl");
}

/** Stores a corpus: whoever reads it meanwhile reads the old one or the new one, never a part. */
export function writeImported(
  path: string,
  sentences: readonly CorpusSentence[],
  about: Pick<ImportedHead, "corpus" | "licence" | "imported_at">,
): ImportedHead {
  mkdirSync(dirname(path), { recursive: true });
  const body = sentences.map((sentence) => `${JSON.stringify(sentence)}\n`).join("");
  const sha256 = createHash("sha256").update(body).digest("hex");
  const head: ImportedHead = { format: 1, ...about, sentences: sentences.length, sha256 };
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, "w");
    try {
      writeAll(file, `${JSON.stringify(head)}\n`);
      writeAll(file, body);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return head;
}

/** The corpus, undefined where none was imported. Throws when the file is not as it was written. */
export function readImported(path: string): ImportedCorpus | undefined {
  const bytes = ifThere(() => readFileSync(path));
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(10);
  const head = parseHead(path, bytes.toString("utf8", 0, Math.max(end, 0)));
  const body = bytes.subarray(end + 1);
  if (createHash("sha256").update(body).digest("hex") !== head.sha256) throw damaged(path);
  const ends: number[] = [];
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) ends.push(at);
  const at = (place: number): CorpusSentence => {
    const line = body.toString("utf8", place === 0 ? 0 : (ends[place - 1] ?? 0) + 1, ends[place]);
    return CorpusSentence.parse(JSON.parse(line));
  };
  return { head, sentences: { size: ends.length, at } };
}

/** What the first line says; undefined where nothing was imported or the line cannot be read. */
export function importedHead(path: string): ImportedHead | undefined {
  const start = ifThere(() => {
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_HEAD);
      return buffer.toString("utf8", 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  });
  try {
    return start === undefined ? undefined : parseHead(path, start.split("\n")[0] ?? "");
  } catch {
    return undefined;
  }
}

function parseHead(path: string, line: string): ImportedHead {
  try {
    return Head.parse(JSON.parse(line));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

const damaged = (path: string, cause?: unknown): Error =>
  new Error(`${path} is damaged; import the corpus again, or remove the file`, { cause });

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function ifThere<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
