import type postgres from "postgres";
import { codeOf, type Sql } from "./client.ts";

/**
 * A stretch of the log that one server wrote: after which number, since when, on which timeline; the `first` of all.
 */
type LogEpoch = {
  epoch: string;
  system: string;
  timeline: string;
  afterSeq: number;
  beganAt: string;
  first: boolean;
};

/** A server and its timeline; a replica that is promoted begins another one. "" where the role may not ask. */
type Server = { system: string; timeline: string };

type AnySql = Sql | postgres.Sql;

/**
 * Notes the server that writes the log, where the last one noted is another: a replica was promoted, or the database
 * was restored elsewhere. Returns the epoch that begins, undefined where none does or the database is read-only.
 */
export async function noteEpoch(sql: AnySql): Promise<LogEpoch | undefined> {
  const { system, timeline } = await serverOf(sql);
  if (system === "" && timeline === "") return undefined;
  try {
    const [row] = await sql<LogEpoch[]>`
      with head as (select coalesce(max(seq), 0) as seq from article_log), last as (
        select system, timeline from log_epochs order by began_at desc limit 1)
      insert into log_epochs (system, timeline, after_seq)
      select ${system}, ${timeline}, head.seq from head
      where not exists (select from last where (last.system, last.timeline) = (${system}, ${timeline}))
      returning epoch, system, timeline, after_seq::float8 as "afterSeq", began_at::text as "beganAt",
        not exists (select from last) as first`;
    return row;
  } catch (error) {
    if (codeOf(error) === "25006") return undefined;
    throw error;
  }
}

async function serverOf(sql: AnySql): Promise<Server> {
  const ask = async (query: Promise<{ value: string }[]>): Promise<string> => {
    try {
      return (await query)[0]?.value ?? "";
    } catch (error) {
      // Refused to this role, or no such function, or a replica, which writes nothing.
      if (["42501", "42883", "55000", "0A000"].includes(codeOf(error))) return "";
      throw error;
    }
  };
  return {
    system: await ask(sql<{ value: string }[]>`select system_identifier::text as value from pg_control_system()`),
    timeline: await ask(sql<{ value: string }[]>`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as value`),
  };
}
