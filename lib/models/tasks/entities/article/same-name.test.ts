import { expect, test } from "bun:test";
import type { Entity } from "../aliases.ts";
import { joined } from "./same-name.ts";

const text = "قالت الوكالة الفيدرالية لإدارة الطوارئ والجيش الصومالي لرويترز";
const mention = (name: string, confidence: number): Entity => {
  const start = text.indexOf(name);
  return { type: "ORG", text: name, name, start, end: start + name.length, confidence };
};

test("a body and what it is for are one organisation, which is as likely as the less likely part", () => {
  const [agency, ...others] = joined(text, [mention("الوكالة الفيدرالية", 0.9), mention("إدارة الطوارئ", 0.6)]);
  expect(others).toEqual([]);
  expect(agency).toMatchObject({ name: "الوكالة الفيدرالية لإدارة الطوارئ", start: 5, end: 38, confidence: 0.6 });
});

test("whoever is spoken to is another one", () => {
  expect(joined(text, [mention("الجيش الصومالي", 0.9), mention("رويترز", 0.9)])).toHaveLength(2);
});
