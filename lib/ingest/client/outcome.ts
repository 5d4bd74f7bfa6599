import { Problem } from "../../contract/mod.ts";
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
  route: Pick<Route<Status>, "results">,
): Outcome<Status>[] {
  const results = route.results(body);
  if (results === null || results.length !== entries.length) {
    throw new IngestError(
      "bad-answer",
      "the API answered in a form that is not its ingest contract: one result per item expected",
    );
  }
  return results.map(({ status, article_id: articleId, error }, i) => ({
    externalId: entries[i]?.externalId ?? "",
    status,
    ...(articleId !== undefined && { articleId }),
    ...(error !== undefined && { error: { type: error.type, detail: error.detail } }),
  }));
}

/** The `title` and `detail` of a problem body as one line; "" when it is none. */
export function problemText(body: unknown): string {
  const { title, detail } = Problem.pick({ title: true, detail: true }).partial().safeParse(body).data ?? {};
  return [title, detail].filter((part) => part !== undefined).join(": ");
}
