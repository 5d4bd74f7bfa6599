import { type Access, createRoute, type HttpEnv, type OpenAPIHono, problems, z } from "@isnad/lib/service/http";
import { capabilityStates, type EdgeDeps } from "../capabilities.ts";

/** GET /llm/health: which capability is there, and by which model. */
export function addLlmHealth(app: OpenAPIHono<HttpEnv>, { access, capabilities }: EdgeDeps & { access: Access }): void {
  const states = capabilityStates(capabilities);
  app.openapi({ ...route, middleware: [access.require("edge", "x-api-key")] }, async (c) => {
    const found = await states();
    return c.json({ ok: found.chat.ready, capabilities: found }, 200);
  });
}

const State = z
  .object({
    ready: z.boolean(),
    model: z.string().nullable(),
    provider: z.enum(["builtin", "upstream"]).nullable(),
  })
  .openapi("CapabilityState");

const route = createRoute({
  method: "get",
  path: "/llm/health",
  operationId: "listCapabilities",
  tags: ["llm"],
  summary: "What the models here can do now",
  description:
    "A capability that no installed model or configured server has is not ready, and has neither model nor provider. One whose model does not answer is not ready.",
  security: [{ apiKey: [] }],
  responses: {
    200: {
      description: "Each capability; `ok` when chats are answered.",
      content: {
        "application/json": {
          schema: z.object({
            ok: z.boolean(),
            capabilities: z.object({ chat: State, translate: State, asr: State, embed: State, rerank: State }),
          }),
        },
      },
    },
    ...problems("unauthorized"),
  },
});
