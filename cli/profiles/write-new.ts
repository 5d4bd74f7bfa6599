import { writeFileSync } from "node:fs";
import { CommandError } from "@isnad/lib/service/cli";

/** Writes a file that is not there yet; false where it is. Throws CommandError for a file that cannot be written. */
export function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new CommandError(`${path} cannot be written`, { cause });
  }
}

/** A profile as the text of its file. */
export function profileText(profile: object): string {
  return `${JSON.stringify(profile, null, 2)}\n`;
}
