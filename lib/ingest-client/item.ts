/** An article as the ingest route takes it (ingest contract version 1); absent fields are left out. */
export type IngestItem = {
  source_id?: string;
  external_id?: string;
  url?: string;
  canonical_url?: string;
  title?: string;
  content?: string;
  lang?: string | null;
  published_at?: string | null;
  authors?: string[];
  images?: string[];
  raw?: Record<string, unknown>;
  category_label?: string;
  provider?: string;
};

/** Tells the revisions route that a source has an article no more. */
export type Deletion = { kind: "deleted_at_source"; source_id: string; external_id: string; url?: string };
