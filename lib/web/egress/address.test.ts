import { expect, test } from "bun:test";
import { hostWithPort, isPublicAddress, readAllowList } from "./address.ts";

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

test.each([
  ["http://hub.internal/a?b", "hub.internal", 80],
  ["https://hub.internal", "hub.internal", 443],
  ["http://localhost:8099/", "localhost", 8099],
])("%s allows its own host and port, and no other port", (address, host, port) => {
  const list = readAllowList(hostWithPort(address));
  expect([list.allowsHost(host, port), list.allowsHost(host, port + 1)]).toEqual([true, false]);
});

test.each([
  ["http://127.0.0.1:81", "127.0.0.1", 81],
  ["http://[::1]:82/x", "::1", 82],
])("%s allows its own address", (address, ip, port) => {
  const list = readAllowList(hostWithPort(address));
  expect([list.allowsAddress(ip, port), list.allowsAddress(ip, port + 1)]).toEqual([true, false]);
});

test.each([
  "93.184.215.14",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "192.167.255.255",
  "2606:4700:4700::1111",
  "[2606:4700:4700::1111]",
  "::ffff:93.184.215.14",
  "64:ff9b::5db8:d70e",
  "2002:5db8:d70e::1",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.255.255.255",
  "172.16.0.0",
  "172.31.255.255",
  "192.168.255.255",
  "169.254.0.1",
  "100.64.0.0",
  "100.127.255.255",
  "192.0.0.8",
  "192.0.2.5",
  "192.88.99.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.251",
  "239.255.255.250",
  "247.1.1.1",
  "168.63.129.16",
  "::",
  "::1",
  "::ffff:10.0.0.1",
  "::ffff:0:10.0.0.1",
  "::10.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b:1::5db8:d70e",
  "2002:a00:1::1",
  "2002:c0a8:101::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2001:10::1",
  "3fff::1",
  "100::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fc00::1",
  "fdff::1",
  "ff02::fb",
  "",
  "localhost",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.4/8",
  "::ffff:1.2.3.400",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
