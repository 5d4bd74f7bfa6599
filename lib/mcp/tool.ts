import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Ask, RefusedError } from "./ask.ts";
import type { Page } from "./page.ts";

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
