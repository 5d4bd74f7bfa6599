import { Buffer } from "node:buffer";
import type { Passage } from "@isnad/lib/contract";
import { monthOf } from "@isnad/lib/search/chunk-conditions";

/** A chunk that may answer a question. */
export type Candidate = {
  docId: string;
  chunkNo: number;
  url: string;
  title: string;
  text: string;
  lang: string | null;
  source: string;
  /** YYYYMM. */
  month: number | null;
  score: number;
  /** What the reranker made of the chunk beforehand. */
  vector?: Int8Array | undefined;
};

/** A passage of the retrieval service as a candidate. */
export function candidateOf(passage: Passage): Candidate {
  const { doc_id, chunk_no, url, title, text, lang, source, published_at, score, vector } = passage;
  const month = published_at === null ? null : monthOf(new Date(published_at));
  return { docId: doc_id, chunkNo: chunk_no, url, title, text, lang, source, month, score, ...read(vector) };
}

function read(base64: string | undefined): { vector?: Int8Array } {
  return base64 === undefined ? {} : { vector: Int8Array.from(Buffer.from(base64, "base64")) };
}
