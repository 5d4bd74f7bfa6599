import { describe, expect, test } from "bun:test";
import { readHookAddress } from "./notices.ts";

describe("readHookAddress()", () => {
  test.each([
    ["https://hooks.example/a?b=c", "json", "https://hooks.example/a?b=c"],
    ["http://127.0.0.1:9000", "json", "http://127.0.0.1:9000/"],
    ["SLACK+HTTPS://hooks.slack.com/services/T/B/x", "slack", "https://hooks.slack.com/services/T/B/x"],
    [
      "telegram+https://api.telegram.org/bot1:a/sendMessage?chat_id=-5&message_thread_id=2",
      "telegram",
      "https://api.telegram.org/bot1:a/sendMessage?chat_id=-5&message_thread_id=2",
    ],
    ["matrix+https://:token@m.example/!room:m.example", "matrix", "https://:token@m.example/!room:m.example"],
    ["matrix+https://:token@m.example/%21room:m.example", "matrix", "https://:token@m.example/%21room:m.example"],
    ["ntfy+https://user:password@ntfy.sh/ports_1-a", "ntfy", "https://user:password@ntfy.sh/ports_1-a"],
    [`ntfy+https://ntfy.sh/${"t".repeat(64)}`, "ntfy", `https://ntfy.sh/${"t".repeat(64)}`],
  ])("reads %s as %s", (address, form, url) => {
    expect(readHookAddress(address)).toEqual({ form, url: new URL(url) } as ReturnType<typeof readHookAddress>);
  });

  test("takes one e-mail address", () => {
    expect(readHookAddress("mailto:desk@news.example")).toEqual({ form: "email", to: "desk@news.example" });
    for (const wrong of ["mailto:desk", "mailto:a@news.example,b@news.example", "mailto:a@news.example?subject=x"]) {
      expect(readHookAddress(wrong)).toBe("must be mailto: and one address");
    }
  });

  test.each([
    "",
    "hooks.example",
    "ftp://hooks.example/",
    "email+https://a.example/",
    "json+https://a.example/",
    "https://",
  ])("says what an address must be in place of %j", (address) =>
    expect(readHookAddress(address)).toStartWith("must be an absolute http or https URL, one with slack+"),
  );

  test.each([
    ["slack+https://hooks.slack.com/", "must be slack+ and the URL of an incoming webhook"],
    ["slack+https://hooks.slack.com", "must be slack+ and"],
    ["telegram+https://api.telegram.org/bot1/sendMessage", "must be telegram+https://"],
    ["telegram+https://api.telegram.org/bot1/sendMessage?chat_id=", "must be telegram+https://"],
    ["telegram+https://api.telegram.org/bot1/getMe?chat_id=5", "must be telegram+https://"],
    ["matrix+https://m.example/!room:m.example", "must be matrix+https://"],
    ["matrix+https://:token@m.example/room:m.example", "must be matrix+https://"],
    ["ntfy+https://ntfy.sh/", "must be ntfy+https://"],
    ["ntfy+https://ntfy.sh/a%20b", "must be ntfy+https://"],
    [`ntfy+https://ntfy.sh/${"t".repeat(65)}`, "must be ntfy+https://"],
  ])("tells the rule of a form that %s breaks", (address, rule) => {
    expect(readHookAddress(address)).toStartWith(rule);
  });
});
