import { expect, test } from "bun:test";
import { readTarget } from "./webhook-target.ts";

test.each([
  ["http://127.0.0.1:9000/hook", "127.0.0.1:9000"],
  ["http://2130706433/hook", "127.0.0.1:80"],
  ["https://[::1]/hook", "[::1]:443"],
  ["http://localhost/hook", "localhost:80"],
  ["http://receiver:8000/hook", "receiver:8000"],
  ["https://hooks.corp.internal./a", "hooks.corp.internal:443"],
  ["https://93.184.215.14/a", "93.184.215.14:443"],
])("%s plainly names its host", (url, privateHost) => {
  expect(readTarget(url).privateHost).toBe(privateHost);
});

test.each(["https://hooks.example.com/a", "https://internal.example.com/a", "https://127.0.0.1.nip.io/a"])(
  "%s may not lead to a private address by itself",
  (url) => {
    expect(readTarget(url).privateHost).toBe("");
  },
);

test("a user and a password become a header", () => {
  expect(readTarget("https://desk:p%40ss@hooks.example.com/a?b=c")).toEqual({
    address: "https://hooks.example.com/a?b=c",
    headers: { Authorization: `Basic ${Buffer.from("desk:p@ss").toString("base64")}` },
    privateHost: "",
  });
  expect(readTarget("https://hooks.example.com/a").headers).toEqual({});
  const odd = Buffer.from("100%:x").toString("base64");
  expect(readTarget("https://100%:x@hooks.example.com/").headers).toEqual({ Authorization: `Basic ${odd}` });
});
