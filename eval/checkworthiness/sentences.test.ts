import { expect, test } from "bun:test";
import { readSentences } from "./sentences.ts";

const read = (text: string) => readSentences(text, "set.tsv");

test("CheckThat! in English, with header", () => {
  expect(read('Sentence_id\tText\tclass_label\n26\t"You know, ""so"""\tNo\n80\tIt rose.\tYes\n')).toEqual([
    { id: "26", text: 'You know, "so"', label: false },
    { id: "80", text: "It rose.", label: true },
  ]);
});

test("CheckThat! of tweets, without header", () => {
  expect(read("7\thttps://x.example/7\tنص\tYes\n")).toEqual([{ id: "7", text: "نص", label: true }]);
});

test("a set of earlier years, with a topic before the id", () => {
  const text = "topic\ttweet_id\ttweet_url\ttweet_text\tclass_label\nCOVID\t5\thttps://x.example/5\tIt rose.\t1\n";
  expect(read(text)).toEqual([{ id: "5", text: "It rose.", label: true }]);
});

test("a set without labels, by its header", () => {
  expect(read("Sentence_id\tText\n26\tIt rose.\n")).toEqual([{ id: "26", text: "It rose.", label: undefined }]);
});

test("a debate: marks are letters, labels are 0 and 1", () => {
  expect(read('1\tHOLT\t"Good evening.\t0\r\n2\tTRUMP\tWe lost jobs.\t1\r\n')).toEqual([
    { id: "1", text: '"Good evening.', label: false },
    { id: "2", text: "We lost jobs.", label: true },
  ]);
});

test("a byte order mark is no part of the header", () => {
  expect(read("\ufeffSentence_id\tText\tclass_label\n1\tA b.\tno\n")).toHaveLength(1);
});

test("a row without a label is named", () => {
  expect(() => read("Sentence_id\tText\tclass_label\n1\tA.\tNo\n2\tB.\tperhaps\n")).toThrow("set.tsv: row 2");
});

test("columns are read by the header's names, whatever stands after the label", () => {
  expect(read("Sentence_id\tText\tclass_label\tspeaker\n26\tIt rose.\tYes\tHOLT\n")).toEqual([
    { id: "26", text: "It rose.", label: true },
  ]);
});
