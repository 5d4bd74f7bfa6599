import { WebhookEvent } from "@isnad/lib/contract";

/** Holds what a receiver of webhooks was sent. */
type Received = {
  body: string;
  headers: Record<string, string>;
  event: { id: number; type: string; articleId: number };
};

/** A receiver of webhooks on loopback, whose behaviour a test can change while it runs. */
export type Receiver = {
  url: string;
  received: Received[];
  /** Answers a request; 200 at once unless it is replaced. */
  answer: (received: Received) => Response | Promise<Response>;
  stop(): Promise<void>;
};

/**
 * Starts a receiver at `url`, or at a path of its own on any free port: an earlier receiver may have had the same port.
 * Requests count as received when they are answered with 2xx.
 */
export function startReceiver(url = `http://127.0.0.1:0/${crypto.randomUUID()}`): Receiver {
  const receiver: Receiver = { url: "", received: [], answer: () => new Response("ok"), stop: async () => {} };
  const { hostname, port, pathname } = new URL(url);
  const server = Bun.serve({
    port: Number(port),
    hostname,
    async fetch(request) {
      if (new URL(request.url).pathname !== pathname) return new Response("", { status: 410 });
      const body = await request.text();
      const event = WebhookEvent.parse(JSON.parse(body));
      const headers = Object.fromEntries(request.headers);
      // Tests of the relay speak of articles.
      if (!("article" in event)) return new Response("ok");
      const received = {
        body,
        headers,
        event: { id: event.id, type: event.type, articleId: event.article.article_id },
      };
      const response = await receiver.answer(received);
      if (response.ok) receiver.received.push(received);
      return response;
    },
  });
  receiver.url = `http://${hostname}:${server.port}${pathname}`;
  receiver.stop = () => server.stop(true);
  return receiver;
}
