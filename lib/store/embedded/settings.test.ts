import { describe, expect, test } from "bun:test";
import { serverSettings } from "./settings.ts";

describe("serverSettings", () => {
  test("leaves durability on", () => {
    const names = Object.keys(serverSettings());
    for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) expect(names).not.toContain(name);
  });

  test("takes more shared memory on a bigger machine, within bounds", () => {
    const gigabyte = 2 ** 30;
    expect(serverSettings(gigabyte).shared_buffers).toBe("128MB");
    expect(serverSettings(4 * gigabyte).shared_buffers).toBe("256MB");
    expect(serverSettings(256 * gigabyte).shared_buffers).toBe("512MB");
  });

  test("listens on loopback alone, for at least a hundred connections", () => {
    const settings = serverSettings();
    expect(settings.listen_addresses).toBe("127.0.0.1");
    expect(Number(settings.max_connections)).toBeGreaterThanOrEqual(100);
  });
});
