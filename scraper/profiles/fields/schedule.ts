import { z } from "@isnad/lib/service/http";
import { Cron } from "croner";

/** Far enough for every leap day, in years. */
const HORIZON = 10;

/** A cron expression of exactly five fields: minute, hour, day of month, month, day of week. */
export const Schedule = z
  .string()
  .check((ctx) => {
    const problem = scheduleProblem(ctx.value);
    if (problem !== undefined) ctx.issues.push({ code: "custom", message: problem, input: ctx.value });
  })
  .meta({ pattern: "^\\s*\\S+(\\s+\\S+){4}\\s*$", examples: ["*/15 * * * *"] });

/** The name of an IANA time zone that this runtime knows, such as `Asia/Amman`. */
export const TimeZone = z.string().refine(isZone, { error: "must be an IANA time zone such as Asia/Amman" });

function scheduleProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    return `must have five fields (minute hour day month weekday), not ${fields[0] === "" ? 0 : fields.length}`;
  }
  try {
    const next = new Cron(expression, { mode: "5-part", timezone: "UTC" }).nextRun();
    if (next === null || next.getUTCFullYear() > new Date().getUTCFullYear() + HORIZON) return "is never due";
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return `is no cron expression: ${error.message.replace(/^CronPattern: /, "")}`;
  }
}

function isZone(name: string): boolean {
  // An offset such as +03:00 is a zone to Intl, but knows no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
