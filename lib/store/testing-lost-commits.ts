import { testProxy } from "../std/testing-proxy.ts";

/** A way to a Postgres on which the connection breaks at the next commit. */
export type LosingProxy = {
  url: string;
  /**
   * Breaks the connection that commits next: `answered` once the server has committed, before its answer is passed on;
   * `unsent` instead of passing the commit on.
   */
  loseNext(when: "answered" | "unsent"): void;
  /** How many commits lost their connection. */
  lost(): number;
  close(): Promise<void>;
};

/** The driver's statement that commits, where it is prepared, with the name that later ones go by. */
const PREPARED = /([a-z0-9]+)\0commit\0/;
const ANSWER = "COMMIT\0";

/** A proxy on loopback before the Postgres at `url` that loses commits when it is told to. */
export async function losingProxy(url: string): Promise<LosingProxy> {
  let next: "answered" | "unsent" | undefined;
  let lost = 0;
  const proxy = await testProxy(url, (client, upstream) => {
    let losing = false;
    let name: string | undefined;
    const commits = (text: string): boolean => {
      name ??= PREPARED.exec(text)?.[1];
      return name !== undefined && text.includes(`${name}\0`);
    };
    const lose = (): void => {
      lost++;
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (bytes) => {
      const when = next;
      if (!commits(bytes.toString("latin1")) || when === undefined) return upstream.write(bytes);
      next = undefined;
      if (when === "unsent") return lose();
      losing = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => (losing && bytes.includes(ANSWER) ? lose() : client.write(bytes)));
  });
  return {
    url: proxy.url,
    loseNext(when) {
      next = when;
    },
    lost: () => lost,
    close: proxy.close,
  };
}
