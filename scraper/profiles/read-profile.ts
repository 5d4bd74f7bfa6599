import { JsonSyntaxError, readJsonText } from "./json-text.ts";
import type { createProfileSchema, Profile } from "./schema.ts";

/** What is wrong with a profile file, where: `line` counts from 1, `field` is a path such as `feeds.0.url`. */
export type ProfileProblem = {
  file: string;
  line: number;
  field: string;
  reason: string;
  /** Name of the profile whose source it claims. */
  sourceOf?: string;
};

/** A profile, or why its file holds none. */
export type ReadProfile = { profile: Profile; sourceLine: number } | { problems: ProfileProblem[] };

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
