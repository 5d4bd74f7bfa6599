import type { z } from "@isnad/lib/http";
import { mapInSlices } from "@isnad/lib/std";
import type { Revision, RevisionPage } from "@isnad/lib/store";
import { textDifference } from "@isnad/lib/text";
import type { RevisionsView } from "./schema.ts";

type View = z.output<typeof RevisionsView>;

/** Shows revisions, each with its difference from the text before it; the event loop gets its turns between them. */
export async function revisionsView({ articleId, docId, sources, revisions, nextBefore }: RevisionPage): Promise<View> {
  return {
    article_id: articleId,
    doc_id: docId,
    gone_at: sources[0]?.goneAt ?? null,
    sources: sources.map(({ sourceId, externalId, url, revision, goneAt }) => ({
      source_id: sourceId,
      external_id: externalId,
      url,
      revision,
      gone_at: goneAt,
    })),
    revisions: await mapInSlices(revisions, revisionView),
    next_cursor: nextBefore === null ? null : String(nextBefore),
  };
}

function revisionView(revision: Revision): View["revisions"][number] {
  const { kind, reportedAt, title, content, contentHash, url, sourceId, externalId, requestId } = revision;
  return {
    revision: revision.revision,
    kind,
    at: reportedAt,
    title,
    content,
    content_hash: contentHash,
    url,
    reported_by: { source_id: sourceId, external_id: externalId, request_id: requestId },
    difference: differenceOf(revision),
  };
}

function differenceOf({ title, content, previous }: Revision): View["revisions"][number]["difference"] {
  if (previous === null || title === null || content === null) return null;
  return {
    title: title === previous.title ? null : { before: previous.title, after: title },
    ...textDifference(previous.content, content),
  };
}
