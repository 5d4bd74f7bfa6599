import type { Capability } from "@isnad/lib/answers";
import type { Capabilities } from "./deps.ts";

/** A capability as it is shown. */
export type CapabilityState = { ready: boolean; model: string | null; provider: "builtin" | "upstream" | null };

/** Time that a model has to say that it is there, in milliseconds. */
const DEADLINE_MS = 2_000;
/** How long what was found holds, in milliseconds: servers elsewhere are not asked with every probe. */
const HOLDS_MS = 5_000;

/** Makes a function that tells how each capability stands; calls within some seconds share what was found. */
export function capabilityStates(
  capabilities: Capabilities,
  { now = () => performance.now() }: { now?: () => number } = {},
): () => Promise<Record<keyof Capabilities, CapabilityState>> {
  let last: { at: number; states: Promise<Record<keyof Capabilities, CapabilityState>> } | undefined;
  const ask = async (): Promise<Record<keyof Capabilities, CapabilityState>> => {
    const [chat, translate, asr, embed, rerank] = await Promise.all([
      stateOf(capabilities.chat),
      stateOf(capabilities.translate),
      stateOf(capabilities.asr),
      stateOf(capabilities.embed),
      stateOf(capabilities.rerank),
    ]);
    return { chat, translate, asr, embed, rerank };
  };
  return () => {
    if (last === undefined || now() - last.at > HOLDS_MS) last = { at: now(), states: ask() };
    return last.states;
  };
}

async function stateOf(capability: Capability<unknown>): Promise<CapabilityState> {
  if (capability.missing !== undefined) return { ready: false, model: null, provider: null };
  const { model, provider, check } = capability;
  const ready = await check(AbortSignal.timeout(DEADLINE_MS)).then(
    () => true,
    () => false,
  );
  return { ready, model, provider };
}
