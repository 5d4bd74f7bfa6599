import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isObject, parseJson } from "../std/mod.ts";
import type { Page } from "./page.ts";

/** Asks the API for a tool: JSON of a path, with a body by POST. @throws RefusedError */
export type Ask = (path: string, options?: { body?: unknown; signal?: AbortSignal | undefined }) => Promise<unknown>;

/** The API refused a request, or could not answer it; the message is for the model. */
class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** Returns an {@link Ask} over whatever sends requests to the API. */
export function askBy(send: (path: string, init: RequestInit) => Promise<Response>): Ask {
  return async (path, { body, signal } = {}) => {
    const json = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    const headers = { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) };
    const response = await send(path, { ...json, headers, signal: signal ?? null });
    const answer = parseJson(await response.text());
    if (response.ok) return answer;
    throw new RefusedError(describe(response.status, answer));
  };
}

function describe(status: number, problem: unknown): string {
  const { detail, errors } = isObject(problem) ? problem : {};
  const fields = Object.entries(isObject(errors) ? errors : {}).map(([field, rules]) => `${field} ${String(rules)}`);
  return [`${status}: ${typeof detail === "string" ? detail : "the API cannot answer"}`, ...fields].join("\n");
}

/** Returns a path with the parameters that are given. */
export function withQuery(path: string, params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Holds a page to read, and the same as data, without the long texts. */
type ToolAnswer = { page: Page; data: Record<string, unknown> };

/** A tool that reads. */
type ToolDefinition<Shape extends z.ZodRawShape> = {
  name: string;
  title: string;
  description: string;
  input: Shape;
  run(args: z.output<z.ZodObject<Shape>>, ask: Ask): Promise<ToolAnswer>;
};

/** Adds a tool to a server that asks the API by `ask`. */
export type Tool = { name: string; addTo(server: McpServer, ask: Ask): void };

/** Makes a tool. What the API refuses is told to the model, which can mend it. */
export function defineTool<Shape extends z.ZodRawShape>({ run, input, name, ...about }: ToolDefinition<Shape>): Tool {
  const inputSchema = z.object(input);
  return {
    name,
    addTo(server, ask) {
      const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
      server.registerTool(name, { ...about, inputSchema, annotations }, async (args, { mcpReq: { signal } }) => {
        try {
          const { page, data } = await run(inputSchema.parse(args), (path, options) =>
            ask(path, { signal, ...options }),
          );
          return { content: [{ type: "text", text: page.toString() }], structuredContent: data };
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          return { content: [{ type: "text", text: error.message }], isError: true };
        }
      });
    },
  };
}
