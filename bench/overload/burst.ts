import { Agent, request } from "node:http";

/** One request of a burst: GET, or POST of a JSON body. */
export type Ask = { url: string; body?: string };

/** How a request ended: its status (0: no answer), `Retry-After` in seconds, and its time in milliseconds. */
export type Answer = { status: number; retryAfter: number | undefined; ms: number };

/** Sends all requests at once, each over a connection of its own. */
export async function burst(asks: readonly Ask[]): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  return await Promise.all(asks.map((ask) => send(ask, agent)));
}

function send({ url, body }: Ask, agent: Agent): Promise<Answer> {
  const start = performance.now();
  const took = (): number => performance.now() - start;
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  return new Promise((resolve) => {
    const sent = request(url, { agent, ...(body !== undefined && post) }, (response) => {
      const retryAfter = response.headers["retry-after"];
      response.resume().on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
          ms: took(),
        }),
      );
    });
    sent.on("error", () => resolve({ status: 0, retryAfter: undefined, ms: took() }));
    sent.end(body);
  });
}
