import type { z } from "@isnad/lib/service/http";
import type { Revision, RevisionPage } from "@isnad/lib/store";
import { textDifference } from "@isnad/lib/text";
import type { RevisionsView } from "./schema.ts";

type View = z.output<typeof RevisionsView>;

/** Shows revisions, each with its difference from the text before it. */
export async function revisionsView({ articleId, docId, sources, revisions, nextBefore }: RevisionPage): Promise<View> {
  const views: View["revisions"] = [];
  for (const revision of revisions) views.push(await revisionView(revision));
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
    revisions: views,
    next_cursor: nextBefore === null ? null : String(nextBefore),
  };
}

async function revisionView(revision: Revision): Promise<View["revisions"][number]> {
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
    difference: await differenceOf(revision),
  };
}

async function differenceOf(revision: Revision): Promise<View["revisions"][number]["difference"]> {
  const { title, content, previous } = revision;
  if (previous === null || title === null || content === null) return null;
  return {
    title: title === previous.title ? null : { before: previous.title, after: title },
    ...(await textDifference(previous.content, content)),
  };
}
