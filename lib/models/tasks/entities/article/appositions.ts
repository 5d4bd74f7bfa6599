import { codePointSlicer } from "../../../../text/mod.ts";
import { aliasGroup, kindOf } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import { entityKey } from "./keys.ts";

/**
 * Keys of organisations by those of the names that stand in brackets or quotation marks right behind them, or the other
 * way round where the table has the second name: `منظمة الشرطة الجنائية الدولية (الإنتربول)`.
 */
export function appositions(text: string, mentions: readonly Entity[]): Map<string, string> {
  const slice = codePointSlicer(text);
  const same = new Map<string, string>();
  const organisations = mentions.filter(({ type }) => kindOf(type) === "organisation");
  for (const second of organisations) {
    const first = organisations.find(
      ({ end }) => end < second.start && second.start - end <= 3 && /^\s?["«“(<]\s?$/u.test(slice(end, second.start)),
    );
    if (first === undefined || !/^\s?["»”)>]/u.test(slice(second.end, second.end + 2))) continue;
    const keys = [first, second].map(({ name, type }) => entityKey(name, type));
    const [whole = "", short = ""] = keys;
    if (whole === short || aliasGroup(whole, "organisation") !== undefined) continue;
    if (short.split(" ").length >= whole.split(" ").length) continue;
    if (aliasGroup(short, "organisation") === undefined) same.set(short, whole);
    else same.set(whole, short);
  }
  return same;
}

/** Keys of persons by those of what stands right behind their names: in brackets, or by a son: محمود عباس، أبو مازن. */
export function otherNames(text: string, mentions: readonly Entity[]): Map<string, string> {
  const slice = codePointSlicer(text);
  const same = new Map<string, string>();
  const persons = mentions.filter(({ type }) => kindOf(type) === "person");
  for (const { name, type, start } of persons) {
    const first = persons.find(({ end }) => end < start && start - end <= 2);
    const between = first === undefined ? "" : slice(first.end, start);
    const isOther = (between === " (" && !name.includes(" ")) || (between === "، " && /^أبو /.test(name));
    if (first === undefined || !isOther) continue;
    same.set(entityKey(name, type), entityKey(first.name, first.type));
  }
  return same;
}
