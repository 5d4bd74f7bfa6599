/** A chunk by its article's uuid and its number. */
export type ChunkId = { docId: string; chunkNo: number };

const FORM = /^article:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):chunk:(\d{1,6})$/i;

/** The id of a chunk as it is shown. */
export function formatChunkId({ docId, chunkNo }: ChunkId): string {
  return `article:${docId}:chunk:${chunkNo}`;
}

/** What an id names; undefined for text of another form. */
export function parseChunkId(id: string): ChunkId | undefined {
  const [, docId, no] = FORM.exec(id) ?? [];
  return docId === undefined ? undefined : { docId: docId.toLowerCase(), chunkNo: Number(no) };
}
