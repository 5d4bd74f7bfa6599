import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { loadTaxonomy, type Taxonomy } from "@isnad/lib/service/config";
import type { Logger } from "@isnad/lib/service/process";
import { createProfileSchema, type Profile } from "./schema.ts";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "@isnad/lib/service/http";
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseOptions,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** Holds what is wrong with a profile file, where: `line` counts from 1, `field` is a path such as `feeds.0.url`. */
export type ProfileProblem = {
  file: string;
  line: number;
  field: string;
  reason: string;
  /** Name of the profile whose source it claims. */
  sourceOf?: string;
};

/** A profile, or why its file holds none. */
type ReadProfile = { profile: Profile; sourceLine: number } | { problems: ProfileProblem[] };

/** Reads the text of a profile file called `file` (`name.json`). */
export function readProfile(text: string, file: string, schema: ReturnType<typeof createProfileSchema>): ReadProfile {
  const json = (() => {
    try {
      return readJsonText(text);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return error;
      throw error;
    }
  })();
  if (json instanceof JsonSyntaxError) return refused(file, json.line, "", json.message);
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    const problems = checked.error.issues.map((issue) => {
      const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
      return { file, line: json.lineOf(path), field: path.map(String).join("."), reason: issue.message };
    });
    return { problems };
  }
  const { $schema: _, ...profile } = checked.data;
  if (`${profile.name}.json` !== file) {
    return refused(
      file,
      json.lineOf(["name"]),
      "name",
      `must be "${file.replace(/\.json$/, "")}", as the file is called`,
    );
  }
  return { profile, sourceLine: json.lineOf(["source", "id"]) };
}

function refused(file: string, line: number, field: string, reason: string): ReadProfile {
  return { problems: [{ file, line, field, reason }] };
}

/** The profiles of a folder by name, in its order, and what is wrong with the files that were passed over. */
type LoadedProfiles = { profiles: ReadonlyMap<string, Profile>; problems: readonly ProfileProblem[] };

/** The schema's own file lies among the profiles. */
const SCHEMA_FILE = "profile.schema.json";

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

/** The folder of profiles that comes with the repository. */
export const SHIPPED_PROFILES = fileURLToPath(new URL("../../profiles", import.meta.url).href);

const LINE_WIDTH = 120;

/** Returns the profile schema as JSON Schema (draft 2020-12), with the shipped categories, as the text of its file. */
export function schemaText(): string {
  const schema = z.toJSONSchema(createProfileSchema(loadTaxonomy().categories), { io: "input" });
  const titled = { ...schema, title: "Isnad scraper profile" };
  const text = JSON.stringify(titled, null, 2);
  return `${text.replace(SHORT_LIST, (list, offset: number) => asFormatted(list, text, offset))}\n`;
}

/** A list of scalars, over several lines. */
const SHORT_LIST = /\[[^[\]{}]*\]/g;

/** Returns the repository's formatter puts a list on one line where it fits. */
function asFormatted(list: string, text: string, offset: number): string {
  const line = list
    .replace(/\s*\n\s*/g, " ")
    .replace("[ ", "[")
    .replace(" ]", "]");
  const before = offset - text.lastIndexOf("\n", offset) - 1;
  return before + line.length + 1 <= LINE_WIDTH ? line : list;
}

/** Tells whether the schema file of `dir` is what the validating schema says; with `write`, makes it so. */
export function syncSchemaFile(dir: string, { write = false } = {}): boolean {
  const path = join(dir, SCHEMA_FILE);
  if (write) writeFileSync(path, schemaText());
  return existsSync(path) && readFileSync(path, "utf8") === schemaText();
}

/** A place in a JSON text that is not what JSON expects there; `line` counts from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A JSON text's value, and on which line (from 1) each of its members stands. */
type JsonText = {
  value: unknown;
  /**
   * Returns the line of the key at `path`, or of the entry of a list; of the nearest enclosing one where there is none.
   */
  lineOf(path: readonly PropertyKey[]): number;
};

/** Lists and objects within one another; a profile needs five. */
const DEPTH = 64;

const STRICT: ParseOptions = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Holds what is wrong, by the parser's name for it. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word or sign that JSON does not have",
  InvalidNumberFormat: "a number that is not written as JSON writes it",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "} is expected",
  CloseBracketExpected: "] is expected",
  EndOfFileExpected: "nothing more is expected",
  InvalidCommentToken: "a comment, which JSON does not have",
  UnexpectedEndOfString: "a string that does not end",
  InvalidUnicode: "a string with a wrong escape",
  InvalidEscapeCharacter: "a string with a wrong escape",
  InvalidCharacter: "a character that JSON does not allow there",
};

/**
 * Reads JSON (RFC 8259) with the lines of its members. Throws {@link JsonSyntaxError}, also for a key that comes twice.
 */
export function readJsonText(given: string): JsonText {
  const text = given.replace(/^\ufeff/, "");
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const code = error === undefined ? "ValueExpected" : printParseErrorCode(error.error);
    throw new JsonSyntaxError(REASONS[code] ?? "no JSON", lineAt(error?.offset ?? 0));
  }
  refuseOddMembers(root, 0, lineAt);
  return {
    value: JSON.parse(text),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const place = path.slice(0, length).map((part) => (typeof part === "number" ? part : String(part)));
        const node = findNodeAtLocation(root, place);
        // The node of a member is its value; its key stands at the beginning of the member.
        if (node !== undefined) return lineAt(node.parent?.type === "property" ? node.parent.offset : node.offset);
      }
      return 1;
    },
  };
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, STRICT);
  } catch (error) {
    // The parser goes down one call a level.
    if (error instanceof RangeError) throw new JsonSyntaxError("nested too deep", 1);
    throw error;
  }
}

function refuseOddMembers(node: Node, depth: number, lineAt: (offset: number) => number): void {
  if (depth > DEPTH) throw new JsonSyntaxError("nested too deep", lineAt(node.offset));
  const keys = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0]?.value : undefined;
    if (key !== undefined && keys.has(key))
      throw new JsonSyntaxError(`the key "${key}" comes twice`, lineAt(child.offset));
    keys.add(key);
    const value = child.type === "property" ? child.children?.[1] : child;
    if (value !== undefined) refuseOddMembers(value, depth + 1, lineAt);
  }
}

/** The profiles that are in force. */
export type Profiles = {
  /** In the order of their names. */
  all(): readonly Profile[];
  get(name: string): Profile | undefined;
  /** Returns what was wrong with the files that the last reading passed over. */
  problems(): readonly ProfileProblem[];
  /**
   * Reads the folder again and puts its good files in force. What is wrong is logged: a bad file line by line, and a
   * folder that cannot be read, which leaves everything as it is. Calls that come meanwhile share the next reading.
   */
  reload(): Promise<void>;
  /** Calls `listener` after every reading; returns how to stop that. */
  onReload(listener: () => void): () => void;
};

/** Returns the profiles of a folder; nothing is in force before the first `reload()`. */
export function createProfiles({
  dir,
  enable = [],
  taxonomy,
  logger,
}: {
  dir: string;
  /** Names of profiles that are enabled whatever their files say; `all` for every one. */
  enable?: readonly string[];
  taxonomy: Pick<Taxonomy, "categories">;
  logger: Logger;
}): Profiles {
  let loaded: LoadedProfiles = { profiles: new Map(), problems: [] };
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  const read = async (): Promise<void> => {
    try {
      loaded = enabledToo(await loadProfiles(dir, taxonomy, { inForce: loaded.profiles }), enable);
    } catch (error) {
      logger.error({ dir, err: error }, "the folder of profiles cannot be read");
      return;
    }
    for (const { file, line, field, reason } of loaded.problems) {
      logger.warn({ file, line, field, reason }, "profile skipped");
    }
    const skipped = new Set(loaded.problems.map(({ file }) => file)).size;
    const unknown = enable.filter((name) => name !== ALL && !loaded.profiles.has(name));
    if (unknown.length > 0) logger.warn({ unknown }, "SCRAPER_ENABLE names profiles that are not there");
    logger.info({ dir, profiles: loaded.profiles.size, skipped }, "profiles loaded");
    for (const listener of listeners) listener();
  };
  const start = (): Promise<void> => {
    underWay = read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  return {
    all: () => [...loaded.profiles.values()],
    get: (name) => loaded.profiles.get(name),
    problems: () => loaded.problems,
    reload() {
      if (underWay === undefined) return start();
      // The reading under way may have passed a file before it changed.
      next ??= underWay.then(() => {
        next = undefined;
        return start();
      });
      return next;
    },
    onReload(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const ALL = "all";

function enabledToo({ profiles, problems }: LoadedProfiles, enable: readonly string[]): LoadedProfiles {
  const effective = new Map<string, Profile>();
  for (const [name, profile] of profiles) {
    const enabled = profile.enabled || enable.includes(ALL) || enable.includes(name);
    effective.set(name, { ...profile, enabled });
  }
  return { profiles: effective, problems };
}

/** Editors write a file in several steps; one reading for all of them is enough. In milliseconds. */
const QUIET_MS = 150;

/**
 * Reloads the profiles whenever a file of the folder changes; returns how to stop that. A folder that cannot be watched
 * is logged: its changes then wait for `POST /profiles/reload`.
 */
export function watchProfiles(
  profiles: Pick<Profiles, "reload">,
  { dir, logger, quietMs = QUIET_MS }: { dir: string; logger: Logger; quietMs?: number },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Whatever its name: mounted folders change by a link being moved.
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void profiles.reload(), quietMs);
  };
  const cannot = (error: unknown): void => logger.warn({ dir, err: error }, "the folder of profiles cannot be watched");
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    watcher.on("error", cannot);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch (error) {
    cannot(error);
    return () => {};
  }
}

/**
 * Returns the canonical categories that a profile's map, or the category of one of its feeds and pages, can yield, in
 * the taxonomy's order.
 */
export function categoriesOf(profile: Profile, { categories }: Pick<Taxonomy, "categories">): string[] {
  const { category_map, feeds, sitemaps, list_pages } = profile;
  const labels = [...feeds, ...sitemaps, ...list_pages].flatMap(({ category }) => category ?? []);
  const yielded = new Set([...Object.values(category_map), ...labels.map((label) => category_map[label] ?? label)]);
  return categories.filter((category) => yielded.has(category));
}
