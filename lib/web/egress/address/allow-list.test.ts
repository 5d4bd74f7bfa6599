import { expect, test } from "bun:test";
import { readAllowList } from "./allow-list.ts";

test("names, addresses and ranges are allowed, with a port only that one", () => {
  const list = readAllowList("intranet.example, demo:8099 127.0.0.1:3000,[::1]:3000, 10.1.0.0/16");
  expect(list.allowsHost("INTRANET.example.", 80)).toBe(true);
  expect(list.allowsHost("sub.intranet.example", 80)).toBe(false);
  expect([list.allowsHost("demo", 8099), list.allowsHost("demo", 80)]).toEqual([true, false]);
  expect([list.allowsAddress("127.0.0.1", 3000), list.allowsAddress("127.0.0.1", 3001)]).toEqual([true, false]);
  expect([list.allowsAddress("::1", 3000), list.allowsAddress("[::1]", 80)]).toEqual([true, false]);
  expect([list.allowsAddress("10.1.2.3", 80), list.allowsAddress("10.2.0.1", 80)]).toEqual([true, false]);
});

test("an IPv4 address written as IPv6 is the same address", () => {
  expect(readAllowList("10.0.0.0/8").allowsAddress("::ffff:10.0.0.1", 80)).toBe(true);
});

test("an empty list allows nothing", () => {
  const list = readAllowList(" , ");
  expect(list.allowsHost("localhost", 80) || list.allowsAddress("127.0.0.1", 80)).toBe(false);
});

test.each(["http://a.example", "a b/c", "10.0.0.0/99", "*"])("%s is not an entry", (entry) => {
  expect(() => readAllowList(entry)).toThrow(RangeError);
});
