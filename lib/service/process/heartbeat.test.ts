import { expect, test } from "bun:test";
import { startHeartbeat } from "./heartbeat.ts";

/** Resolves once `done` holds. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await Bun.sleep(1);
}

test("a lease is renewed until the heartbeat is stopped", async () => {
  let beats = 0;
  const heart = startHeartbeat({ leaseS: 60, everyMs: 1, renew: async () => ++beats > 0 });
  await until(() => beats >= 3);
  await heart.stop();
  const before = beats;
  await Bun.sleep(10);
  expect(beats).toBe(before);
  expect(heart.lost.aborted).toBe(false);
});

test("an interval longer than the lease is cut to what the lease bears", async () => {
  let renewals = 0;
  const heart = startHeartbeat({ leaseS: 0.3, everyMs: 3_600_000, renew: async () => ++renewals > 0 });
  await until(() => renewals >= 2);
  await heart.stop();
});

test("a lease that is another's is lost", async () => {
  const heart = startHeartbeat({ leaseS: 60, everyMs: 1, renew: async () => false });
  await until(() => heart.lost.aborted);
  await heart.stop();
});

test("one heartbeat may fail; a lease that could not be renewed for its whole length is lost", async () => {
  const failures: unknown[] = [];
  let beats = 0;
  const passing = startHeartbeat({
    leaseS: 60,
    everyMs: 1,
    renew: async () => {
      if (++beats === 1) throw new Error("away");
      return true;
    },
    onFailure: (error) => failures.push(error),
  });
  await until(() => beats >= 3);
  await passing.stop();
  expect(failures).toHaveLength(1);
  expect(passing.lost.aborted).toBe(false);

  const away = startHeartbeat({ leaseS: 0.03, renew: () => Promise.reject(new Error("away")) });
  await until(() => away.lost.aborted);
  await away.stop();
});

test("stopping waits for a heartbeat that is under way", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  const heart = startHeartbeat({
    leaseS: 60,
    everyMs: 1,
    renew: () => {
      asked.resolve();
      return answer.promise;
    },
  });
  await asked.promise;
  let stopped = false;
  const stopping = heart.stop().then(() => {
    stopped = true;
  });
  await Bun.sleep(5);
  expect(stopped).toBe(false);
  answer.resolve(true);
  await stopping;
});

test("a lease whose heartbeat is never answered is lost when it has run out, and stopping does not hang", async () => {
  const failures: unknown[] = [];
  const silent = startHeartbeat({
    leaseS: 0.03,
    renew: () => new Promise(() => {}),
    onFailure: (error) => failures.push(error),
  });
  await until(() => silent.lost.aborted);
  await silent.stop();
  expect(failures).toEqual([silent.lost.reason]);
});
