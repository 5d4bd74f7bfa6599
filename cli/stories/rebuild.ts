import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, createProgress, defineCommand, writeJson } from "@isnad/lib/service/cli";
import type { Store } from "@isnad/lib/store";
import { enlistStories } from "../../workers/upkeep.ts";
import { openCommandStore } from "../open-store.ts";

const POLL_MS = 500;

const number = new Intl.NumberFormat("en-US");

/** `stories:rebuild`. */
export const storiesRebuild = defineCommand({
  name: "stories:rebuild",
  summary: "Has all articles put into stories anew, while the stack runs; stories keep their numbers.",
  positionals: { usage: "", min: 0, max: 0 },
  options: { wait: { kind: "flag", help: "wait until the workers have done it" } },
  details: `New articles come first. By itself this happens where a version of the platform tells stories apart otherwise.`,
  async run({ values }, { env, stdout, stderr, json, signal }) {
    await using opened = await openCommandStore(env);
    const { store } = opened;
    const progress = createProgress(stderr);
    try {
      const enlisted = await enlistStories({ store, signal, again: true });
      for (let waiting = enlisted; values.wait && waiting > 0; ) {
        await sleep(POLL_MS, undefined, { signal });
        waiting = (await backlog(store)).waiting;
        progress.update(Math.max(0, enlisted - waiting), enlisted, `${number.format(waiting)} articles wait`);
      }
      const { waiting, setAside } = await backlog(store);
      if (json) writeJson(stdout, { enlisted, waiting, set_aside: setAside });
      else stdout.write(`${number.format(enlisted)} articles put on the list, ${number.format(waiting)} wait\n`);
      return values.wait && setAside > 0 ? 1 : 0;
    } catch (error) {
      if (signal.aborted) throw new CommandError("interrupted; the workers go on with what is on the list");
      throw error;
    } finally {
      progress.clear();
    }
  },
});

async function backlog(store: Pick<Store, "work">): Promise<{ waiting: number; setAside: number }> {
  const stages = await store.work.backlog();
  return stages.find(({ stage }) => stage === "stories") ?? { waiting: 0, setAside: 0 };
}
