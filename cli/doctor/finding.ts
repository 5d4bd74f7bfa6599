import { scrub } from "@isnad/lib/std";

/** Something that was looked at: `fail` is what keeps the platform, or a part of it, from working as it is set up. */
export type Finding = { area: string; name: string; state: "ok" | "warn" | "fail"; detail: string };

/** Makes the findings of one area. */
export function findings(area: string) {
  const list: Finding[] = [];
  const add = (state: Finding["state"]) => (name: string, detail: string) => {
    list.push({ area, name, state, detail: scrub(detail) });
  };
  return { list, ok: add("ok"), warn: add("warn"), fail: add("fail") };
}
