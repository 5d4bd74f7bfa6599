import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createFetcher, type Fetcher } from "../web/egress/mod.ts";
import { serveSite } from "../web/egress/testing.ts";
import { DEFAULT_LIMITS, type Upstream, type UpstreamLimits } from "./upstream/connection.ts";

/** A request as the upstream of a test saw it. */
type SeenRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Resolves when the other side has closed the connection before the answer was whole. */
  left: Promise<void>;
};

/** Answers a request; `n` counts them from 1. */
export type Answer = (response: ServerResponse, seen: SeenRequest, n: number) => void | Promise<void>;

/** A server with an OpenAI-compatible interface, on loopback. */
export type TestUpstream = { url: string; seen: SeenRequest[]; close(): Promise<void> };

/** Serves `answer` for every request. */
export async function serveUpstream(answer: Answer): Promise<TestUpstream> {
  const seen: SeenRequest[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const left = new Promise<void>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) resolve();
      });
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks), left };
    seen.push(one);
    await answer(response, one, seen.length);
  };
  const site = await serveSite((request, response) => void take(request, response).catch(() => response.destroy()));
  return { url: `${site.url}/v1`, seen, close: () => site.close() };
}

/** An upstream's settings, with short times. */
export function upstreamAt(url: string, limits: Partial<UpstreamLimits> = {}, key = "sk-test-secret"): Upstream {
  return { url, key, model: "test-model", limits: { ...DEFAULT_LIMITS, ...limits } };
}

/** A client that reaches loopback. */
export function loopbackFetcher(): Fetcher {
  return createFetcher({ userAgent: "isnad-test", allowPrivateHosts: "127.0.0.1" });
}

/** Writes pieces, no faster than they are taken, until `more` says no or the other side leaves. */
export async function pour(response: ServerResponse, piece: Uint8Array, more: () => boolean): Promise<void> {
  while (more() && !response.destroyed) {
    if (response.write(piece)) continue;
    const wait = new AbortController();
    const either = [once(response, "drain", wait), once(response, "close", wait)];
    await Promise.race(either).finally(() => wait.abort());
    await Promise.allSettled(either);
  }
  response.end();
}

/** A chunk of a chat's answer as its line of the stream. */
export function chunkLine(delta: unknown, rest: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, delta, finish_reason: null }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices, ...rest })}\n\n`;
}

/** The chunk that says why an answer ended. */
export function endLine(finishReason = "stop", rest: Record<string, unknown> = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }], ...rest })}\n\n`;
}

/** A chat's whole stream, as OpenAI sends it. */
export function chatStream(texts: readonly string[]): string {
  const usage = { prompt_tokens: 7, completion_tokens: texts.length, total_tokens: 7 + texts.length };
  return [
    chunkLine({ role: "assistant", content: null }),
    ...texts.map((content) => chunkLine({ content })),
    endLine(),
    `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
    "data: [DONE]\n\n",
  ].join("");
}
