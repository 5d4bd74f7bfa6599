import type { Lease } from "./lease.ts";
import type { Sql } from "./client.ts";
import type { Store } from "./store.ts";
import type { StageBacklog, Step, WorkItem } from "./work/types.ts";

/** Work on one stage by hand. */
export type TestStage = {
  claim(lease: Lease & { limit: number }): Promise<WorkItem[]>;
  backlog(): Promise<Pick<StageBacklog, "waiting" | "setAside">>;
  step(owner: string, ...next: string[]): Step;
};

/** For tests: works on a stage by hand, as a runner would. */
export function testStage(store: Pick<Store, "work">, stage: string): TestStage {
  return {
    claim: (lease) => store.work.claim({ stage, ...lease }),
    async backlog() {
      const backlog = (await store.work.backlog()).find((entry) => entry.stage === stage);
      return { waiting: backlog?.waiting ?? 0, setAside: backlog?.setAside ?? 0 };
    },
    step: (owner, ...next) => ({ stage, owner, next }),
  };
}

/** For tests: queues articles for a stage. */
export async function queueWork(sql: Sql, stage: string, articleIds: readonly number[]): Promise<void> {
  await sql`insert into work (article_id, stage) select id, ${stage} from unnest(${[...articleIds]}::bigint[]) as id`;
}
