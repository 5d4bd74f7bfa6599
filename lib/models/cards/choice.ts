import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { TASKS, type Task } from "./card.ts";
import { InferenceError } from "../runtime/errors.ts";

const FILE = "use.json";

const choices = z.partialRecord(z.enum(TASKS), z.string());

/** The model chosen for each task by `models use`. */
export type Choices = z.infer<typeof choices>;

/** Reads the choices kept in the folder of pulled models; none when there is no such file.
 * @throws InferenceError `model-invalid` for a file that is damaged */
export function readChoices(dir: string): Choices {
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
