import { testProxy } from "../../std/testing-proxy.ts";

/** Passes connections on to a server; shut, it refuses them and cuts those that there are. */
type TestGate = { url: string; shut(): void; open(): void; close(): Promise<void> };

/** Opens a gate on loopback in front of a server. */
export async function testGate(url: string): Promise<TestGate> {
  let isOpen = true;
  const proxy = await testProxy(url, (client, upstream) => {
    if (isOpen) client.pipe(upstream).pipe(client);
    else client.destroy();
  });
  return {
    url: new URL(proxy.url).origin,
    shut() {
      isOpen = false;
      proxy.cut();
    },
    open() {
      isOpen = true;
    },
    close: proxy.close,
  };
}
