/** Time limits of a request to a model, in milliseconds, and the most bytes of its answer. */
export type UpstreamLimits = {
  connectMs: number;
  /** From the beginning of the request; a large model may have to be loaded first. */
  firstByteMs: number;
  /** Between two pieces of an answer. */
  betweenMs: number;
  totalMs: number;
  maxBytes: number;
};

/**
 * A model on a server with an OpenAI-compatible interface. All of it is the operator's to say, and may be a private
 * address.
 */
export type Upstream = {
  /** The address that paths such as `/chat/completions` are below; without a slash at the end. */
  url: string;
  key?: string | undefined;
  model: string;
  limits: UpstreamLimits;
};

/** Limits that suit a model of some size on a machine of one's own. */
export const DEFAULT_LIMITS: UpstreamLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  betweenMs: 30_000,
  totalMs: 600_000,
  maxBytes: 32_000_000,
};
