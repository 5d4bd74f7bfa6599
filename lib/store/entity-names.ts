import { LIMITS } from "../contract/mod.ts";
import { at } from "../std/mod.ts";
import { codePointLength, nameSound, soundingAlike } from "../text/mod.ts";
import type { Tx } from "./client.ts";
import { jsonText, storableText } from "./values.ts";

/** New names are given their entities one transaction at a time, so that no thing gets two. */
const NAMES_LOCK = 4_922_051_775;

/** A name that is not known by its own key. */
type NewName = { name: string; key: string; aliases: string[]; kind: string | null; sound: string | null };

/**
 * The numbers of entities by the keys of their names, as storable text. A name is the entity that has its key, else one
 * of its aliases, else one of its kind whose name sounds the same in the other script; else it is a new one. What it
 * was found by is kept, so that it stays that entity.
 */
export async function resolveEntities(tx: Tx, names: readonly EntityName[]): Promise<Map<string, number>> {
  const fresh = new Map(names.toReversed().map((name) => [storableText(name.key), newName(name)]));
  const ids = await idsOf(tx, [...fresh.keys()]);
  for (const key of ids.keys()) fresh.delete(key);
  if (fresh.size === 0) return ids;
  await tx`select pg_advisory_xact_lock(${NAMES_LOCK})`;
  const idByKey = await idsOf(
    tx,
    [...fresh.values()].flatMap(({ key, aliases }) => [key, ...aliases]),
  );
  const alike = Map.groupBy(await soundingKeys(tx, [...fresh.values()]), soundKey);
  const made = madeNames();
  const same = new Map<string, string>();
  for (const name of [...fresh.values()].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const other = ownKey(name, idByKey, alike) ?? made.sameAs(name);
    if (other === undefined) made.add(name);
    else same.set(name.key, other);
  }
  for (const [key, id] of await insert(tx, made.names)) idByKey.set(key, id);
  const aliases: { key: string; id: number }[] = [];
  for (const { key, aliases: others } of fresh.values()) {
    const id = idByKey.get(same.get(key) ?? key);
    if (id === undefined) throw new Error("an entity that was just written is not there");
    ids.set(key, id);
    aliases.push(...[key, ...others].filter((each) => !idByKey.has(each)).map((each) => ({ key: each, id })));
  }
  await tx`
    insert into entity_aliases (name_key, entity_id)
    select distinct on (key) key, id from json_to_recordset(${jsonText(aliases)}::text::json) as a (key text, id bigint)
    order by key, id on conflict (name_key) do nothing`;
  return ids;
}

/** Tells whether a key is short enough to be asked for, and to be held by an index. */
export function canBeName(key: string): boolean {
  return codePointLength(key) <= LIMITS.query;
}

function newName({ name, key, aliases = [], kind }: EntityName): NewName {
  const own = storableText(key);
  const isNamed = kind === "person" || kind === "place" || kind === "organisation";
  return {
    name: storableText(name),
    key: own,
    aliases: aliases.filter(canBeName).map(storableText),
    kind: kind ?? null,
    sound: (isNamed ? nameSound(own) : undefined) ?? null,
  };
}

/** The numbers of those of the keys that are names or aliases. */
async function idsOf(tx: Tx, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx<{ key: string; id: number }[]>`
    select name_key as key, entity_id as id from entities where name_key = any(${[...keys]}::text[])
    union all
    select name_key, entity_id from entity_aliases where name_key = any(${[...keys]}::text[])`;
  return new Map(rows.toReversed().map(({ key, id }) => [key, id]));
}

type Sounding = { key: string; id: number; sound: string; kind: string };

async function soundingKeys(tx: Tx, names: readonly NewName[]): Promise<Sounding[]> {
  const sounds = names.flatMap(({ sound }) => sound ?? []);
  return await tx<Sounding[]>`
    select name_key as key, entity_id as id, sound, kind from entities
    where sound = any(${sounds}::text[]) and kind is not null order by entity_id`;
}

/** Returns what names have in common that may be one in two scripts. */
function soundKey({ sound, kind }: Pick<NewName, "sound" | "kind">): string {
  return `${kind}\u0000${sound}`;
}

/** The key of the entity that a new name means; it is put among the known ones. */
function ownKey(
  name: NewName,
  known: Map<string, number>,
  alike: ReadonlyMap<string, readonly Sounding[]>,
): string | undefined {
  const own = [name.key, ...name.aliases].filter((key) => known.has(key));
  if (own.length > 0) return own.sort((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0))[0];
  const near = name.sound === null ? [] : (alike.get(soundKey(name)) ?? []);
  const key = soundingAlike(
    name.key,
    near.map((each) => each.key),
  );
  const id = near.find((each) => each.key === key)?.id;
  if (key !== undefined && id !== undefined) known.set(key, id);
  return key;
}

/** The names of a batch that become entities, in their order. */
function madeNames() {
  const names: NewName[] = [];
  /** The places in `names` that a key or an alias leads to first. */
  const places = new Map<string, number>();
  const sounding = new Map<string, string[]>();
  return {
    names,
    add(name: NewName): void {
      for (const key of [name.key, ...name.aliases]) if (!places.has(key)) places.set(key, names.length);
      names.push(name);
      if (name.sound === null) return;
      const near = sounding.get(soundKey(name)) ?? [];
      near.push(name.key);
      sounding.set(soundKey(name), near);
    },
    /** The key of the one that this name means, too. */
    sameAs(name: NewName): string | undefined {
      const matches = [name.key, ...name.aliases].flatMap((key) => places.get(key) ?? []);
      if (matches.length > 0) return at(names, Math.min(...matches)).key;
      return name.sound === null ? undefined : soundingAlike(name.key, sounding.get(soundKey(name)) ?? []);
    },
  };
}

async function insert(tx: Tx, names: readonly NewName[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await tx<{ key: string; id: number }[]>`
    insert into entities (name, name_key, kind, sound)
    select name, key, kind, sound
    from json_to_recordset(${jsonText(names)}::text::json) as n (name text, key text, kind text, sound text)
    on conflict (name_key) do update set name_key = excluded.name_key
    returning name_key as key, entity_id as id`;
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** Types of what is said with numbers: nobody and nothing that is talked about; left out unless asked for by name. */
export const NUMERIC = ["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "CURR", "QUANTITY", "UNIT"];

/**
 * Holds what an entity is called, and the folded name by which it is found again; `aliases` are folded names that mean
 * the same, `kind` is what sort of thing it is: names of one kind that sound the same in two scripts are one entity.
 */
export type EntityName = { name: string; key: string; aliases?: readonly string[]; kind?: string };

/**
 * An entity that was found in an article. `spans` holds start and end of each mention in the content, in turn, in code
 * points; `mentions` counts those in the title too.
 */
export type FoundEntity = EntityName & {
  type: string;
  mentions: number;
  confidence: number;
  spans: readonly number[];
};
