import { IngestResult } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import { mergeResults } from "@isnad/lib/ingest";
import type { Decided } from "@isnad/lib/store";
import { type Answer, answerOf } from "./answer.ts";

/** What is known of a request before its items are decided: with the verdicts, all that its answer says. */
const Memo = z.object({
  requestId: z.string(),
  submitted: z.array(
    z.union([
      z.object({ externalId: z.string().nullable(), error: IngestResult.shape.error.unwrap() }),
      z.object({ externalId: z.string(), sourceId: z.string() }),
    ]),
  ),
});
export type Memo = z.output<typeof Memo>;

/** The answer that the verdicts make. */
export function answerTo({ requestId, submitted }: Memo, { results }: Decided): Answer {
  return answerOf(mergeResults(submitted, results), requestId);
}

/** The memo that was kept under a key. Throws when it is none. */
export function readMemo(text: string): Memo {
  return Memo.parse(JSON.parse(text));
}
