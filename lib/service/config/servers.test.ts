import { describe, expect, test } from "bun:test";
import { ConfigError, loadConfig } from "./mod.ts";

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name, rule }) => `${name} ${rule}`);
  }
};

describe("the servers of models", () => {
  test("are none by default", () => {
    const { llm } = loadConfig({});
    expect(llm).toEqual({ limits: { connectMs: 5000, firstByteMs: 60_000, betweenMs: 30_000, totalMs: 600_000 } });
  });

  test("an address, a key and a model are all that a chat needs; it translates, too", () => {
    const { llm } = loadConfig({ LLM_URL: "http://10.0.0.7:11434/v1/", LLM_API_KEY: "k", LLM_MODEL: "m" });
    const server = { url: "http://10.0.0.7:11434/v1", key: "k", model: "m" };
    expect(llm).toMatchObject({ chat: server, translate: server });
    expect(llm.asr).toBeUndefined();
  });

  test("a task may have a server of its own, to which no other key is sent", () => {
    const { llm } = loadConfig({
      LLM_URL: "http://a/v1",
      LLM_API_KEY: "k",
      LLM_MODEL: "m",
      LLM_TRANSLATE_MODEL: "t",
      LLM_ASR_URL: "http://b/v1",
      LLM_ASR_MODEL: "w",
      LLM_RERANK_URL: "http://c",
      LLM_RERANK_API_KEY: "r-key",
      LLM_RERANK_MODEL: "r",
      LLM_EMBED_MODEL: "e",
    });
    expect(llm.translate).toEqual({ url: "http://a/v1", key: "k", model: "t" });
    expect(llm.asr).toEqual({ url: "http://b/v1", model: "w" });
    expect(llm.rerank).toEqual({ url: "http://c", key: "r-key", model: "r" });
    expect(llm.embed).toEqual({ url: "http://a/v1", key: "k", model: "e" });
  });

  test.each([
    [{ LLM_URL: "http://a" }, "LLM_MODEL must be set when LLM_URL is"],
    [{ LLM_MODEL: "m" }, "LLM_URL must be set when LLM_MODEL is"],
    [{ LLM_API_KEY: "k" }, "LLM_URL must be set when LLM_API_KEY is"],
    [{ LLM_ASR_MODEL: "m" }, "LLM_ASR_URL or LLM_URL must be set when LLM_ASR_MODEL is"],
    [{ LLM_ASR_URL: "http://a" }, "LLM_ASR_MODEL must be set when LLM_ASR_URL is"],
    [{ LLM_URL: "http://u:p@a", LLM_MODEL: "m" }, "LLM_URL must not hold a user or password"],
    [{ LLM_URL: "http://a?key=k", LLM_MODEL: "m" }, "LLM_URL must not have a query"],
    [{ LLM_URL: "ftp://a", LLM_MODEL: "m" }, "LLM_URL must be a URL that begins with http:// or https://"],
  ])("%o is refused by name", (env, problem) => {
    expect(problemsOf(env)).toContain(problem);
  });

  test("a gateway has an alias, and may have a vendor's model at its host, which gets its key", () => {
    const env = { AI_GATEWAY_URL: "https://gw.test/compat", AI_GATEWAY_MODEL: "news", AI_GATEWAY_API_KEY: "k" };
    expect(loadConfig(env).llm.gateway).toEqual({ url: "https://gw.test/compat", key: "k", model: "news" });
    const vendor = { AI_GATEWAY_VENDOR_MODEL: "v/m", AI_GATEWAY_VENDOR_URL: "https://gw.test/v" };
    expect(loadConfig({ ...env, ...vendor }).llm.gateway?.vendor).toEqual({
      url: "https://gw.test/v",
      key: "k",
      model: "v/m",
    });
    expect(problemsOf({ AI_GATEWAY_URL: env.AI_GATEWAY_URL })).toEqual([
      "AI_GATEWAY_MODEL must be set when AI_GATEWAY_URL is",
    ]);
    expect(problemsOf({ AI_GATEWAY_MODEL: "news" })).toEqual(["AI_GATEWAY_URL must be set when AI_GATEWAY_MODEL is"]);
    expect(problemsOf({ ...env, ...vendor, AI_GATEWAY_VENDOR_URL: "https://elsewhere.test" })).toEqual([
      "AI_GATEWAY_VENDOR_URL must be at the host of AI_GATEWAY_URL, whose key it is sent",
    ]);
  });
});
