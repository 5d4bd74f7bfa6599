/** What a Redis or Valkey says of itself, for the operator. */
export type RedisFacts = {
  version: string;
  /** What it does when its memory is full; anything but `noeviction` loses jobs. */
  evictionPolicy: string;
  usedBytes: number;
};

/** Asks the server at `url`; changes nothing. Rejects when it cannot be reached. */
export async function redisFacts(url: string): Promise<RedisFacts> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*)\r?$`, "m").exec(info)?.[1]?.trim() ?? "";
    return {
      version: field("valkey_version") || field("redis_version"),
      evictionPolicy: field("maxmemory_policy"),
      usedBytes: Number(field("used_memory")),
    };
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
