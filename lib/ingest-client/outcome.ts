import { isObject } from "../std/index.ts";
import type { Entry } from "./body.ts";
import { IngestError } from "./error.ts";
import type { ArticleStatus, Route } from "./route.ts";

/** What the API said of one item. */
export interface Outcome<Status extends string = ArticleStatus> {
  readonly externalId: string;
  readonly status: Status | "failed";
  /** With `accepted`, `duplicate`, `recorded` and `known`. */
  readonly articleId?: number;
  /** With `failed`. */
  readonly error?: { readonly type: string; readonly detail: string };
}

/** Reads the body of a 2xx or 409 as one outcome per entry, in their order. Throws IngestError `bad-answer`. */
export function readOutcomes<Status extends string>(
  body: unknown,
  entries: readonly Entry[],
  { statuses }: Pick<Route<Status>, "statuses">,
): Outcome<Status>[] {
  const results = property(body, "results");
  if (!Array.isArray(results) || results.length !== entries.length) {
    throw new IngestError(
      "bad-answer",
      "the API answered in a form that is not its ingest contract: one result per item expected",
    );
  }
  return entries.map(({ externalId }, i) => {
    const result: unknown = results[i];
    const status = statuses.find((known) => known === property(result, "status"));
    if (status === undefined) {
      throw new IngestError("bad-answer", `the API answered with an unknown status for item ${externalId}`);
    }
    const articleId = property(result, "article_id");
    const error = property(result, "error");
    return {
      externalId,
      status,
      ...(typeof articleId === "number" && { articleId }),
      ...(error !== undefined && { error: readError(error) }),
    };
  });
}

/** The `title` and `detail` of a problem body as one line; "" when it is none. */
export function problemText(body: unknown): string {
  return [property(body, "title"), property(body, "detail")].filter((part) => typeof part === "string").join(": ");
}

function readError(error: unknown): { type: string; detail: string } {
  const [type, title, detail] = ["type", "title", "detail"].map((key) => property(error, key));
  return { type: typeof type === "string" ? type : "unknown", detail: String(detail ?? title ?? "") };
}

function property(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
