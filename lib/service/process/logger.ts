import { type DestinationStream, destination, type Logger, pino } from "pino";
import { errorMessage, scrub } from "../../std/mod.ts";
import { isUnavailable } from "./run-main.ts";

export type { Logger } from "pino";

const SECRET =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-metrics-token|tokens?|secret|password)$/i;

/** Objects are looked into this deep; what lies deeper is left out of the line. */
const DEPTH = 4;

/**
 * Returns a copy of `fields` without credentials: the value of every member with such a name is replaced. Flat fields,
 * as the lines of requests have them, cost one look each.
 */
function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, DEPTH);
}

function redactObject(fields: object, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  // How many there were is no secret.
  for (const [key, value] of Object.entries(fields))
    safe[key] = SECRET.test(key) && typeof value !== "number" ? "[redacted]" : redactValue(value, depth);
  return safe;
}

/** Returns an error as it is logged, without the credentials of the addresses that its message and stack name. */
function redactError(error: unknown): unknown {
  if (!(error instanceof Error)) return redactValue(error, DEPTH);
  return redactObject({ ...pino.stdSerializers.err(error) }, DEPTH);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value === "string") return scrub(value);
  if (typeof value !== "object" || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth === 0) return "[…]";
  return Array.isArray(value) ? value.map((each) => redactValue(each, depth - 1)) : redactObject(value, depth - 1);
}

/**
 * Returns a logger that writes JSON lines synchronously, so that the last line before a crash is there. `service` is on
 * every line. Writes to standard output unless `stream` is given.
 */
export function createLogger({
  service,
  level = "info",
  stream = destination({ dest: 1, sync: true }),
}: {
  service: string;
  level?: string;
  stream?: DestinationStream;
}): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: redactError },
    },
    stream,
  );
}

/** Logs that something failed: in one line where the database is away, which passes, else with the error's stack. */
export function logFailure(logger: Logger, error: unknown, fields: Record<string, unknown>, message: string): void {
  if (isUnavailable(error)) logger.warn({ ...fields, reason: errorMessage(error) }, "database cannot be reached");
  else logger.error({ ...fields, err: error }, message);
}
