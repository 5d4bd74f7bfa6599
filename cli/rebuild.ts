import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, createProgress, defineCommand, writeJson } from "@isnad/lib/service/cli";
import type { Store } from "@isnad/lib/store";
import { COPIES_VERSION, STORIES_VERSION } from "@isnad/lib/stories";
import { enlistAll } from "../workers/upkeep.ts";
import { openCommandStore } from "./open-store.ts";

const POLL_MS = 500;

const number = new Intl.NumberFormat("en-US");

/** Says what is made again of all articles: the name and help of the command, the stage, and how they are queued. */
type Rebuild = {
  name: string;
  summary: string;
  details: string;
  stage: string;
  enlist(store: Store, signal: AbortSignal): Promise<number>;
};

/** Makes a command that has all articles go through a stage again, while the stack runs. */
function rebuildCommand({ name, summary, details, stage, enlist }: Rebuild) {
  return defineCommand({
    name,
    summary,
    positionals: { usage: "", min: 0, max: 0 },
    options: { wait: { kind: "flag", help: "wait until the workers have done it" } },
    details,
    async run({ values }, { env, stdout, stderr, json, signal }) {
      await using opened = await openCommandStore(env);
      const { store } = opened;
      const progress = createProgress(stderr);
      try {
        const enlisted = await enlist(store, signal);
        for (let waiting = enlisted; values.wait && waiting > 0; ) {
          await sleep(POLL_MS, undefined, { signal });
          waiting = (await backlogOf(store, stage)).waiting;
          progress.update(Math.max(0, enlisted - waiting), enlisted, `${number.format(waiting)} articles wait`);
        }
        const { waiting, setAside } = await backlogOf(store, stage);
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
}

async function backlogOf(store: Pick<Store, "work">, name: string): Promise<{ waiting: number; setAside: number }> {
  const stages = await store.work.backlog();
  return stages.find(({ stage }) => stage === name) ?? { waiting: 0, setAside: 0 };
}

/** `copies:rebuild`. */
export const copiesRebuild = rebuildCommand({
  name: "copies:rebuild",
  summary: "Has all articles matched with others anew for copies and credits, while the stack runs.",
  details: "New articles come first. By itself this happens where a version of the platform finds copies otherwise.",
  stage: "copies",
  enlist: (store, signal) =>
    enlistAll((stretch) => store.copies.enlist({ ...stretch, version: COPIES_VERSION, again: true }), { signal }),
});

/** `stories:rebuild`. */
export const storiesRebuild = rebuildCommand({
  name: "stories:rebuild",
  summary: "Has all articles put into stories anew, while the stack runs; stories keep their numbers.",
  details:
    "New articles come first. By itself this happens where a version of the platform tells stories apart otherwise.",
  stage: "stories",
  enlist: (store, signal) =>
    enlistAll((stretch) => store.stories.enlist({ ...stretch, version: STORIES_VERSION, again: true }), { signal }),
});
