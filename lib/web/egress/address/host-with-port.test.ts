import { expect, test } from "bun:test";
import { readAllowList } from "./allow-list.ts";
import { hostWithPort } from "./host-with-port.ts";

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
