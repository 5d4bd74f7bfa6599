import { z } from "zod";

/** What the first line of a backup says its format is. */
export const FORMAT = "isnad-backup";

/** Raised whenever the layout of the file changes. */
export const FORMAT_VERSION = 1;

const Name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The first line: what the backup is of. `migrations` are those that had been applied, in order; `tables` are in an
 * order in which each comes after those that it refers to.
 */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  createdAt: z.string(),
  version: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })).min(1),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** The line after the rows: what each table held, and where the sequences stood. */
export const BackupManifest = z.object({
  tables: z.array(z.object({ name: Name, rows: z.number().int(), bytes: z.number().int(), sha256: Digest })),
  sequences: z.array(z.object({ name: Name, value: z.number().int(), called: z.boolean() })),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** The last line: the SHA-256 of every byte before it, unpacked. */
export const BackupSeal = z.object({ sha256: Digest });

/** The line that ends the rows of a table, as PostgreSQL's COPY text format has it. */
export const END_OF_ROWS = "\\.\n";

/** A backup that cannot be used: cut short, altered, or of something else. The message is one line. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
