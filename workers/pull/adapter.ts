import type { ItemDraft } from "@isnad/lib/contract";
import type { Json, PullOptions, Source } from "@isnad/lib/store";

/** Holds what an adapter knows beside its source. */
export type AdapterContext = {
  /** Holds what the last complete pull of this source returned. */
  state: Json | undefined;
  /** Holds what this pull is asked for; `{}` in a regular one. */
  options: PullOptions;
  /** Aborts when the pull has to stop. */
  signal: AbortSignal;
};

/**
 * Brings the items of a source as a stream. What it returns at the end is kept, once all items are admitted, for the
 * next pull; undefined keeps what is there. Throws {@link PullError} when it cannot go on.
 */
export type Adapter = (source: Source, context: AdapterContext) => AsyncGenerator<ItemDraft, Json | undefined, void>;

/** The adapters by the provider that they serve. */
export type Adapters = ReadonlyMap<string, Adapter>;

/** A pull could not be begun or not be completed; the message is one line for the operator, without secrets. */
export class PullError extends Error {
  override name = "PullError";
}

/** No adapter serves the provider of a source. */
export class UnsupportedProviderError extends PullError {
  override name = "UnsupportedProviderError";
  readonly provider: string | null;
  readonly sourceKey: string;

  constructor({ key, provider }: Pick<Source, "key" | "provider">, known: Iterable<string>) {
    const what = provider === null ? "has no provider" : `has the unsupported provider "${provider}"`;
    super(`source "${key}" ${what}; there are ${[...known].join(", ")}`);
    this.provider = provider;
    this.sourceKey = key;
  }
}

/** The adapter of a source's provider. Throws {@link UnsupportedProviderError}, which names provider and source. */
export function adapterFor(source: Pick<Source, "key" | "provider">, adapters: Adapters): Adapter {
  const adapter = source.provider === null ? undefined : adapters.get(source.provider);
  if (adapter === undefined) throw new UnsupportedProviderError(source, adapters.keys());
  return adapter;
}
