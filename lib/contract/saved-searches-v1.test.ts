import { expect, test } from "bun:test";
import { readHookAddress } from "./saved-searches-v1.ts";

test.each([
  ["https://hooks.example/a?b=c", "json", "https://hooks.example/a?b=c"],
  ["slack+https://hooks.slack.com/services/T0/B0/x", "slack", "https://hooks.slack.com/services/T0/B0/x"],
  [
    "Telegram+https://api.telegram.org/bot7:x/sendMessage?chat_id=-10",
    "telegram",
    "https://api.telegram.org/bot7:x/sendMessage?chat_id=-10",
  ],
  ["matrix+https://:t@matrix.example/!room:matrix.example", "matrix", "https://:t@matrix.example/!room:matrix.example"],
  ["ntfy+http://127.0.0.1:8090/news_1", "ntfy", "http://127.0.0.1:8090/news_1"],
] as const)("%s has form %s", (address, form, url) => {
  expect(readHookAddress(address)).toEqual({ form, url: new URL(url) });
});

test("mailto: with one address is an e-mail, with several, with headers or without any it is nothing", () => {
  expect(readHookAddress("mailto:desk@news.example")).toEqual({ form: "email", to: "desk@news.example" });
  for (const address of [
    "mailto:",
    "mailto:desk",
    "mailto:a@b.example,c@d.example",
    "mailto:a@b.example?cc=c@d.example",
  ])
    expect(readHookAddress(address)).toBeString();
  expect(readHookAddress("mailto:a@b.example\r\nBcc: c@d.example")).toBeString();
});

test.each([
  ["slack+https://hooks.slack.com", "slack+"],
  ["telegram+https://api.telegram.org/bot7:x/sendMessage", "chat_id"],
  ["telegram+https://api.telegram.org/bot7:x?chat_id=1", "sendMessage"],
  ["matrix+https://matrix.example/!room:matrix.example", "access token"],
  ["matrix+https://:t@matrix.example/room", "room's id"],
  ["ntfy+https://ntfy.sh/", "topic"],
  ["discord+https://discord.example/x", "slack+, telegram+, matrix+ or ntfy+"],
  ["email+https://mail.example/x", "mailto:"],
  ["slack+ftp://hooks.slack.com/x", "http or https"],
  ["file:///etc/passwd", "http or https"],
  ["", "http or https"],
])("%j is refused with the rule", (address, rule) => {
  expect(readHookAddress(address)).toContain(rule);
});
