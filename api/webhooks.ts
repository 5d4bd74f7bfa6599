import { WebhookEvent } from "@isnad/lib/contract";
import type { HttpEnv, OpenAPIHono } from "@isnad/lib/service/http";

/** Documents what the workers post to the addresses of OUTBOX_WEBHOOK_URLS. */
export function documentWebhooks(app: OpenAPIHono<HttpEnv>): void {
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: "article",
    operationId: "receiveArticleEvent",
    tags: ["articles"],
    summary: "An article came, changed at its source, or was deleted; or what else happened, by `type`",
    description:
      "Posted to every address of OUTBOX_WEBHOOK_URLS, in order for each subject (its article where it has no other), until it is answered with 2xx. " +
      "`X-Signature` is `sha256=` and the HMAC-SHA-256 of the body under OUTBOX_WEBHOOK_SECRET, in hex.",
    request: { body: { required: true, content: { "application/json": { schema: WebhookEvent } } } },
    responses: { 200: { description: "Any 2xx: taken." } },
  });
}
