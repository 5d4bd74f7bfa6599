import type { ModelNotInstalled } from "./error.ts";

/** Something that models can do here: who does it, and how it is asked for; or why nobody does. */
export type Capability<T> = ReadyCapability<T> | { missing: ModelNotInstalled };

/** A capability that some model has. */
export type ReadyCapability<T> = {
  missing?: undefined;
  provider: "builtin" | "upstream";
  /** The model's name. */
  model: string;
  use: T;
  /** Rejects while the model cannot answer. */
  check(signal: AbortSignal): Promise<unknown>;
};

/** What the capability is for. @throws ModelNotInstalled when nobody has it */
export function available<T>(capability: Capability<T>): ReadyCapability<T> {
  if (capability.missing !== undefined) throw capability.missing;
  return capability;
}
