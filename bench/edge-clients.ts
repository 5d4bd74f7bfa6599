import { serve } from "@isnad/lib/service/threads";

/** Requests that are made at a time, each answered with a stream. */
type Burst = { url: string; headers: Record<string, string>; body: string; count: number };

/** Clients in a thread of their own, whose work holds no event loop but theirs. */
export function start() {
  return {
    /** Counts how many ends each stream has. */
    ends: ({ url, headers, body, count }: Burst): Promise<number[]> =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const text = await (await fetch(url, { method: "POST", headers, body })).text();
          return text.match(/^event: (done|error)$/gm)?.length ?? 0;
        }),
      ),
    /** Counts the requests a second that so many clients have answered, one after another each, for some time. */
    async load({ url, count, ms }: { url: string; count: number; ms: number }): Promise<number> {
      const until = performance.now() + ms;
      let answered = 0;
      const client = async () => {
        while (performance.now() < until) {
          const response = await fetch(url);
          await response.arrayBuffer();
          if (response.ok) answered++;
        }
      };
      await Promise.all(Array.from({ length: count }, client));
      return answered / (ms / 1000);
    },
  };
}

serve(start);
