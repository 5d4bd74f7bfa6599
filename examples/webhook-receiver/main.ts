/**
 * Receives events: `OUTBOX_WEBHOOK_SECRET=… PORT=9000 bun examples/webhook-receiver/main.ts`, and for the platform
 * `OUTBOX_WEBHOOK_URLS=http://127.0.0.1:9000/` with the same secret. An event may come twice: its `id` says so.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { OUTBOX_WEBHOOK_SECRET: secret = "", PORT = "9000" } = process.env;
if (secret === "") throw new Error("OUTBOX_WEBHOOK_SECRET is not set");

/** Returns whether `header` is the signature of these bytes; compares in constant time. */
function isSigned(body: Buffer, header: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const seen = new Set<number>();
const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(body, String(request.headers["x-signature"]))) {
    response.writeHead(401).end();
    return;
  }
  const { id, type, article, story, search_id } = JSON.parse(body.toString());
  // Each kind of event says what it is about: an article, a story, a saved search.
  const about = article ?? { article_id: story?.story_id ?? search_id, title: story?.title };
  if (!seen.has(id)) process.stdout.write(`${type} ${about.article_id ?? ""} ${about.title ?? ""}\n`);
  seen.add(id);
  // Any 2xx says that the event was taken; everything else has it sent again later.
  response.writeHead(204).end();
});
server.listen(Number(PORT), "127.0.0.1", () => process.stdout.write(`listening ${JSON.stringify(server.address())}\n`));
