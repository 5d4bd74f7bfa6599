import { type AppError, invalidFields } from "@isnad/lib/service/http";
import { InvalidCursorError } from "@isnad/lib/store";

/** Turns what lower layers throw into problems; undefined for what is a fault of the code. */
export function classify(error: unknown): AppError | undefined {
  if (error instanceof InvalidCursorError) {
    return invalidFields({ cursor: ["must be the next_cursor of a page before"] });
  }
  return undefined;
}
