import { readFileSync } from "node:fs";
import { isDecodable, trimEnd } from "../../std/text.ts";

/** Describes what the documentation of an option says; `.env.example` and the README are made from it. */
export type OptionDoc = {
  name: string;
  /** The value used when the variable is unset; "" when there is none. */
  default: string;
  /** Unit or form of the value: `bytes`, `seconds`, `url`, `list of url`, … */
  unit: string;
  /** One line. */
  doc: string;
  /** A secret is never printed, and can also be given as a file named by `<NAME>_FILE`. */
  secret: boolean;
};

/**
 * An environment variable: its documentation, and how its text becomes a value. `T` is undefined-able without a
 * default.
 */
export type Option<T> = Omit<OptionDoc, "name"> & {
  parse(raw: string): T;
  required: boolean;
};

/**
 * Describes what {@link Option.parse} throws; the message is the rule, for instance `must be a whole number from 1 to
 * 10`.
 */
export class RuleError extends Error {
  override name = "RuleError";
}

type Described = { doc: string; secret?: boolean };

/** Text without a default. */
export function optional<T>(option: Option<T>): Option<T | undefined> {
  return { ...option, default: "", required: false };
}

/** Any text. */
export function text(fallback: string, { doc, secret = false }: Described): Option<string> {
  return { default: fallback, unit: "text", doc, secret, required: true, parse: (raw) => raw };
}

/** One word out of `words`. */
export function choice<const W extends string>(words: readonly W[], fallback: W, { doc }: Described): Option<W> {
  const parse = (raw: string): W => {
    const match = words.find((word) => word === raw);
    if (match === undefined) throw new RuleError(`must be one of ${words.join(", ")}`);
    return match;
  };
  return { default: fallback, unit: words.join(" | "), doc, secret: false, required: true, parse };
}

/** Text that matches `pattern`; `rule` says so in words. */
export function matching(pattern: RegExp, rule: string, fallback: string, { doc }: Described): Option<string> {
  const parse = (raw: string): string => {
    if (!pattern.test(raw)) throw new RuleError(rule);
    return raw;
  };
  return { default: fallback, unit: "text", doc, secret: false, required: true, parse };
}

/** Returns a whole number from `min` to `max`. */
export function whole(
  fallback: number,
  { min, max, unit, doc }: Described & { min: number; max: number; unit: string },
): Option<number> {
  const parse = (raw: string): number => {
    const value = /^[0-9]{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
    if (!(value >= min && value <= max)) throw new RuleError(`must be a whole number from ${min} to ${max}`);
    return value;
  };
  return { default: String(fallback), unit, doc, secret: false, required: true, parse };
}

/** `true`, `false`, `1` or `0`. */
export function flag(fallback: boolean, { doc }: Described): Option<boolean> {
  const parse = (raw: string): boolean => {
    if (raw === "true" || raw === "1") return true;
    if (raw === "false" || raw === "0") return false;
    throw new RuleError("must be true or false");
  };
  return { default: String(fallback), unit: "true | false", doc, secret: false, required: true, parse };
}

/** Returns a URL with one of `protocols` (`"http:"`, …). The value keeps its text, without a slash at the end. */
export function url(
  protocols: readonly string[],
  fallback: string,
  { doc, secret = false }: Described,
): Option<string> {
  const parse = (raw: string): string => {
    if (!URL.canParse(raw) || !protocols.includes(new URL(raw).protocol)) {
      throw new RuleError(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`);
    }
    const { username, password } = new URL(raw);
    if (!isDecodable(username + password)) {
      throw new RuleError("must have the user and password percent-encoded, a % as %25");
    }
    return trimEnd(raw, /\//);
  };
  return { default: fallback, unit: "url", doc, secret, required: true, parse };
}

/** Returns a comma-separated list; `entry` parses each of its entries. An unset variable gives an empty list. */
export function list<T>(entry: Option<T>, { doc, secret = false, unit }: Described & { unit?: string }): Option<T[]> {
  const parse = (raw: string): T[] => {
    const parts = raw.split(",").map((part) => part.trim());
    if (parts.some((part) => part === "") && raw !== "") throw new RuleError("must not hold an empty entry");
    return raw === "" ? [] : parts.map((part) => entry.parse(part));
  };
  return { default: "", unit: unit ?? `list of ${entry.unit}`, doc, secret, required: true, parse };
}

/** One wrong variable: its name, and the rule it breaks. The value is left out: it may be a secret. */
export type Problem = { name: string; rule: string };

/** The environment breaks one or more rules; `problems` names all of them. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`configuration: ${problems.map(({ name, rule }) => `${name} ${rule}`).join("; ")}`);
    this.problems = problems;
  }
}

/** The environment as a process sees it. */
export type Env = Record<string, string | undefined>;

/**
 * Reads one option out of `env`. An empty variable counts as unset; a secret may be given as `<NAME>_FILE`, whose
 * content is used without surrounding white space. Adds to `problems` and returns undefined when a rule is broken.
 */
export function readOption<T>(name: string, option: Option<T>, env: Env, problems: Problem[]): T | undefined {
  const raw = rawValue(name, option, env, problems);
  if (raw === undefined) return undefined;
  if (raw === "" && !option.required) return undefined;
  try {
    return option.parse(raw);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    problems.push({ name, rule: error.message });
    return undefined;
  }
}

function rawValue(name: string, option: Option<unknown>, env: Env, problems: Problem[]): string | undefined {
  const direct = env[name]?.trim() ?? "";
  const file = option.secret ? (env[`${name}_FILE`]?.trim() ?? "") : "";
  if (file === "") return direct === "" ? option.default : direct;
  if (direct !== "") {
    problems.push({ name, rule: `and ${name}_FILE must not both be set` });
    return undefined;
  }
  let content: string;
  try {
    content = readFileSync(file, "utf8").trim();
  } catch {
    problems.push({ name: `${name}_FILE`, rule: "must name a readable file" });
    return undefined;
  }
  // A secret that was not written yet is not one that is not wanted: routes would be open, and a database another.
  if (content === "") {
    problems.push({ name: `${name}_FILE`, rule: "must name a file that is not empty" });
    return undefined;
  }
  return content;
}
