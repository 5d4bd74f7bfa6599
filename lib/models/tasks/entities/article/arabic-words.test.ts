import { expect, test } from "bun:test";
import type { Entity } from "../entity.ts";
import { withoutCommonEvents } from "./arabic-words.ts";

const event = (name: string, start = 0, type = "EVENT"): Entity => ({
  ...{ type, text: name, name, start, end: start + name.length, confidence: 0.9 },
});
const kept = (...mentions: Entity[]): string[] => withoutCommonEvents(mentions).map(({ name }) => name);

test("an event of many has neither article nor name", () => {
  expect(
    kept(
      event("حرب باردة"),
      event("معرض للفنون التشكيلية"),
      event("اتفاقية سلام"),
      event("الانتخابات التشريعية والبلدية"),
    ),
  ).toEqual([]);
});

test("an event with an article, a place or a number is one", () => {
  const names = ["الحرب الباردة", "حرب أكتوبر", "مؤتمر جنيف", "معركة الفلوجة"];
  expect(kept(...names.map((name) => event(name)))).toEqual(names);
  expect(kept(event("مهرجان سوسة"), event("سوسة", 7, "GPE"))).toEqual(["مهرجان سوسة", "سوسة"]);
});
