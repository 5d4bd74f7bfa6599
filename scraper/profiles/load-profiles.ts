import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTaxonomy, type Taxonomy } from "@isnad/lib/service/config";
import { z } from "@isnad/lib/service/http";
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseOptions,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { createProfileSchema, type Profile } from "./schema.ts";

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
export type LoadedProfiles = { profiles: ReadonlyMap<string, Profile>; problems: readonly ProfileProblem[] };

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
