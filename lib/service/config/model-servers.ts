import type { OptionValues } from "./options.ts";
import type { Problem } from "./values.ts";

/** A model on a server with an OpenAI-compatible interface. */
export type ModelServer = { url: string; key?: string; model: string };

/** A gateway: it knows a model by an alias of its own, and may pass requests on to a vendor where it does not. */
export type ModelGateway = ModelServer & { vendor?: ModelServer };

/** The tasks that a server of models can have. */
export type ModelServers = {
  /** Summaries are asked for here first. */
  gateway?: ModelGateway;
  chat?: ModelServer;
  translate?: ModelServer;
  asr?: ModelServer;
  embed?: ModelServer;
  rerank?: ModelServer;
};

/** The server of each task that has one: its own, else that of LLM_URL. A key is sent to no address but its own. */
export function modelServers(values: OptionValues): ModelServers {
  const main = { url: values.LLM_URL, key: values.LLM_API_KEY };
  const own = (task: "ASR" | "EMBED" | "RERANK") => {
    const url = values[`LLM_${task}_URL`];
    return url === undefined ? main : { url, key: values[`LLM_${task}_API_KEY`] };
  };
  const gateway = { url: values.AI_GATEWAY_URL, key: values.AI_GATEWAY_API_KEY };
  const alias = serverOf(gateway, values.AI_GATEWAY_MODEL);
  const vendor = serverOf(
    { ...gateway, url: values.AI_GATEWAY_VENDOR_URL ?? values.AI_GATEWAY_URL },
    values.AI_GATEWAY_VENDOR_MODEL,
  );
  const servers = {
    gateway: alias && { ...alias, ...(vendor && { vendor }) },
    chat: serverOf(main, values.LLM_MODEL),
    translate: serverOf(main, values.LLM_TRANSLATE_MODEL ?? values.LLM_MODEL),
    asr: serverOf(own("ASR"), values.LLM_ASR_MODEL),
    embed: serverOf(own("EMBED"), values.LLM_EMBED_MODEL),
    rerank: serverOf(own("RERANK"), values.LLM_RERANK_MODEL),
  };
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => server !== undefined));
}

/** What is wrong among the options of servers: an address without a model, or a model or key without an address. */
export function modelServerProblems(values: Partial<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  const isSet = (name: string): boolean => values[name] !== undefined;
  const tasks = ["ASR", "EMBED", "RERANK"] as const;
  const models = ["LLM_MODEL", "LLM_TRANSLATE_MODEL", ...tasks.map((task) => `LLM_${task}_MODEL`)];
  if (isSet("LLM_URL") && !models.some(isSet))
    problems.push({ name: "LLM_MODEL", rule: "must be set when LLM_URL is" });
  for (const name of ["LLM_MODEL", "LLM_TRANSLATE_MODEL", "LLM_API_KEY"])
    if (isSet(name) && !isSet("LLM_URL")) problems.push({ name: "LLM_URL", rule: `must be set when ${name} is` });
  for (const task of tasks) {
    const [url, key, model] = [`LLM_${task}_URL`, `LLM_${task}_API_KEY`, `LLM_${task}_MODEL`];
    if (isSet(url) && !isSet(model)) problems.push({ name: model, rule: `must be set when ${url} is` });
    if (isSet(key) && !isSet(url)) problems.push({ name: url, rule: `must be set when ${key} is` });
    if (isSet(model) && !isSet(url) && !isSet("LLM_URL"))
      problems.push({ name: url, rule: `or LLM_URL must be set when ${model} is` });
  }
  return [...problems, ...gatewayProblems(values)];
}

function gatewayProblems(values: Partial<Record<string, unknown>>): Problem[] {
  const isSet = (name: string): boolean => values[name] !== undefined;
  const needs = (name: string, other: string): Problem[] =>
    isSet(name) && !isSet(other) ? [{ name: other, rule: `must be set when ${name} is` }] : [];
  const [own, vendor] = [values.AI_GATEWAY_URL, values.AI_GATEWAY_VENDOR_URL];
  return [
    ...needs("AI_GATEWAY_URL", "AI_GATEWAY_MODEL"),
    ...["MODEL", "API_KEY", "VENDOR_MODEL"].flatMap((name) => needs(`AI_GATEWAY_${name}`, "AI_GATEWAY_URL")),
    ...needs("AI_GATEWAY_VENDOR_URL", "AI_GATEWAY_VENDOR_MODEL"),
    ...(typeof own === "string" && typeof vendor === "string" && new URL(own).origin !== new URL(vendor).origin
      ? [{ name: "AI_GATEWAY_VENDOR_URL", rule: "must be at the host of AI_GATEWAY_URL, whose key it is sent" }]
      : []),
  ];
}

function serverOf(
  { url, key }: { url: string | undefined; key: string | undefined },
  model: string | undefined,
): ModelServer | undefined {
  if (url === undefined || model === undefined) return undefined;
  return { url, model, ...(key !== undefined && { key }) };
}
