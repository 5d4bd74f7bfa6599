import {
  type Answerer,
  type Capability,
  chatTranslator,
  DEFAULT_LIMITS,
  EXTRACTIVE_MODEL,
  extractiveAnswerer,
  LlmError,
  type LlmErrorCode,
  ModelNotInstalled,
  pingUpstream,
  type Transcriber,
  type Translator,
  type Upstream,
  upstreamAnswerer,
  upstreamChat,
  upstreamEmbedder,
  upstreamReranker,
  upstreamTranscriber,
} from "@isnad/lib/answers";
import {
  checkIfOpen,
  type Embedder,
  InferenceError,
  type MachineTranscriber,
  type MachineTranslator,
  modelName,
  type OptionalModel,
  type Reader,
  type Reranker,
} from "@isnad/lib/models";
import { AudioError } from "@isnad/lib/models/audio";
import type { Config } from "@isnad/lib/service/config";
import { AppError, retryAfter, type ServiceClient } from "@isnad/lib/service/http";
import type { Logger, Registry } from "@isnad/lib/service/process";
import { createFetcher, hostWithPort } from "@isnad/lib/web/egress";

/** The models of this process. */
export type OwnModels = {
  embedder: OptionalModel<Pick<Embedder, "embed" | "isStatic" | "modelId">>;
  reranker: OptionalModel<Pick<Reranker, "rerank" | "modelId">>;
  reader: OptionalModel<Pick<Reader, "read" | "modelId">>;
  /** One for each pair of languages. */
  translators: readonly Pick<MachineTranslator, "translate" | "modelId" | "from" | "to">[];
  /** Undefined when none is installed. */
  transcriber?: OptionalModel<Pick<MachineTranscriber, "transcribe" | "check" | "modelId">> | undefined;
};

/**
 * Tells who does what: the servers that the settings name, else the models of this process. Nothing but what the
 * settings name is ever sent to; these may be private addresses.
 */
export function chooseCapabilities({ llm }: Pick<Config, "llm">, own: OwnModels): Capabilities {
  const { chat, translate, asr, embed, rerank, limits } = llm;
  const urls = [chat, translate, asr, embed, rerank].flatMap((server) => (server === undefined ? [] : [server.url]));
  const fetch = createFetcher({ userAgent: "Isnad", allowPrivateHosts: urls.map(hostWithPort).join(",") });
  const at = <T>(
    server: { url: string; key?: string; model: string },
    make: (upstream: Upstream) => T,
  ): Capability<T> => {
    const upstream = { ...server, limits: { ...DEFAULT_LIMITS, ...limits } };
    const check = (signal: AbortSignal) => pingUpstream(upstream, fetch, signal);
    return { provider: "upstream", model: server.model, use: make(upstream), check };
  };
  const embedHere = embed ? at(embed, (upstream) => upstreamEmbedder(upstream, fetch)) : ownEmbedder(own.embedder);
  const rerankHere = rerank ? at(rerank, (upstream) => upstreamReranker(upstream, fetch)) : ownReranker(own.reranker);
  return {
    embed: embedHere,
    rerank: rerankHere,
    chat: chat
      ? at(chat, (upstream) => upstreamAnswerer(upstreamChat(upstream, fetch)))
      : extractive(embedHere, rerankHere, own.reader),
    translate: translate
      ? at(translate, (upstream) => chatTranslator(upstreamChat(upstream, fetch)))
      : ownTranslators(own.translators),
    asr: asr ? at(asr, (upstream) => upstreamTranscriber(upstream, fetch)) : ownTranscriber(own.transcriber),
  };
}

function noTranslation(what: string): ModelNotInstalled {
  return new ModelNotInstalled(
    what,
    "`bun run models pull opus-mt-ar-en` and `bun run models pull opus-mt-en-ar` install them, or LLM_URL and LLM_TRANSLATE_MODEL name a server.",
  );
}

/** Models of one pair of languages each, as one that translates. */
function ownTranslators(translators: OwnModels["translators"]): Capabilities["translate"] {
  if (translators.length === 0) return { missing: noTranslation("translation") };
  const translate: Translator["translate"] = async ({ text, sourceLang, targetLang, signal }) => {
    const [from, to] = [baseOf(sourceLang), baseOf(targetLang)];
    const model = translators.find((each) => each.from === from && each.to === to);
    if (model === undefined) throw noTranslation(`translation from ${sourceLang} to ${targetLang}`);
    return { text: await model.translate(text, signal), sourceLang, targetLang, model: modelName(model.modelId) };
  };
  const check = (signal: AbortSignal) => Promise.all(translators.map((each) => each.translate("a", signal)));
  const names = translators.map(({ modelId }) => modelName(modelId)).join(", ");
  return { provider: "builtin", model: names, use: { translate }, check };
}

/** Returns a language without its region. */
function baseOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? tag;
}

const NO_TRANSCRIPTION = {
  missing: new ModelNotInstalled(
    "transcription",
    "`bun run models pull whisper-base` installs one, or LLM_ASR_URL and LLM_ASR_MODEL name a server.",
  ),
};

function ownTranscriber(own: OwnModels["transcriber"]): Capabilities["asr"] {
  if (own === undefined) return NO_TRANSCRIPTION;
  const { model, problem } = own;
  if (problem !== undefined) return { missing: lost("transcription", problem) };
  const transcribe: Transcriber["transcribe"] = ({ audio, language, signal }) =>
    model.transcribe(audio, { language, signal });
  // A recording may take minutes; whether one is heard now says nothing about the model.
  const check = async () => model.check();
  return { provider: "builtin", model: modelName(model.modelId), use: { transcribe }, check };
}

function ownEmbedder({ model, problem }: OwnModels["embedder"]): Capabilities["embed"] {
  if (problem !== undefined) return { missing: lost("embedding", problem) };
  const check = (signal: AbortSignal) => checkIfOpen(model, () => model.embed([""], "query", signal));
  return { provider: "builtin", model: model.modelId, use: model, check };
}

function ownReranker({ model, problem }: OwnModels["reranker"]): Capabilities["rerank"] {
  if (problem !== undefined) return { missing: lost("reranking", problem) };
  const check = (signal: AbortSignal) =>
    checkIfOpen(model, () => model.rerank("a", [{ title: "a", text: "a" }], { signal }));
  return { provider: "builtin", model: model.modelId, use: model, check };
}

function lost(what: string, cause: Error): ModelNotInstalled {
  return new ModelNotInstalled(
    what,
    "`bun run models verify` shows what is wrong, `bun run models list` what is at hand.",
    {
      cause,
    },
  );
}

/** The built-in model stands on three others. */
function extractive(
  embed: Capabilities["embed"],
  rerank: Capabilities["rerank"],
  { model, problem }: OwnModels["reader"],
): Capability<Answerer> {
  if (embed.missing !== undefined) return embed;
  if (rerank.missing !== undefined) return rerank;
  if (problem !== undefined) return { missing: lost("built-in answers", problem) };
  const readable = (signal: AbortSignal) =>
    checkIfOpen(model, () => model.read("a", [{ title: "a", text: "a" }], { signal }));
  return {
    provider: "builtin",
    model: EXTRACTIVE_MODEL,
    use: extractiveAnswerer({ embedder: embed.use, reader: model, reranker: rerank.use }),
    check: (signal) => Promise.all([embed.check(signal), rerank.check(signal), readable(signal)]),
  };
}

/** A capability as it is shown. */
type CapabilityState = { ready: boolean; model: string | null; provider: "builtin" | "upstream" | null };

/** Time that a model has to say that it is there, in milliseconds. */
const DEADLINE_MS = 2_000;
/** Says how long what was found holds, in milliseconds: servers elsewhere are not asked with every probe. */
const HOLDS_MS = 5_000;

/** Makes a function that tells how each capability stands; calls within some seconds share what was found. */
export function capabilityStates(
  capabilities: Capabilities,
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
    const now = performance.now();
    if (last === undefined || now - last.at > HOLDS_MS) last = { at: now, states: ask() };
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

/** Holds what the edge worker can do, and by which models. */
export type Capabilities = {
  chat: Capability<Answerer>;
  translate: Capability<Translator>;
  asr: Capability<Transcriber>;
  embed: Capability<Pick<Embedder, "embed" | "isStatic">>;
  rerank: Capability<Pick<Reranker, "rerank">>;
};

/** Holds what the edge worker stands on. */
export type EdgeDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  retrieval: ServiceClient;
  capabilities: Capabilities;
};

/** Holds what the client is told; who runs the platform finds the rest in the log. */
const DETAILS: Record<LlmErrorCode, string> = {
  unreachable: "The language model's server cannot be reached.",
  "timed-out": "The language model did not answer in time.",
  unauthorized: "The language model's server refuses the platform's key.",
  "not-found": "The language model's server does not have the model.",
  refused: "The language model did not take the request; it may be too long for it.",
  busy: "The language model's server has too much to do.",
  failed: "The language model failed.",
  "bad-answer": "The language model's answer could not be read.",
  empty: "The language model gave no answer.",
};

/** Turns what models throw into problems; undefined for what is a fault of the code. */
export function classify(error: unknown): AppError | undefined {
  if (error instanceof ModelNotInstalled) {
    return new AppError("model-not-installed", error.message, { cause: error, retryable: false });
  }
  if (error instanceof AudioError) {
    const slug = error.code === "too-long" ? "payload-too-large" : "unsupported-media-type";
    return new AppError(slug, error.message, { cause: error, retryable: false });
  }
  if (error instanceof LlmError) {
    return new AppError("service-unavailable", DETAILS[error.code], {
      cause: error,
      headers: retryAfter(error.retryAfterS),
      retryable: error.retryable,
    });
  }
  if (error instanceof InferenceError) {
    return new AppError("service-unavailable", `The model ${error.model ?? "asked for"} cannot answer now.`, {
      cause: error,
    });
  }
  return undefined;
}
