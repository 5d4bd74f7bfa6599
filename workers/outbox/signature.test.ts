import { expect, test } from "bun:test";
import { signature } from "./signature.ts";

test("the signature is the HMAC of RFC 4231, test case 2", () => {
  expect(signature("what do ya want for nothing?", "Jefe")).toBe(
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("the body is signed as UTF-8", () => {
  expect(signature("إسناد", "سر")).toBe(signature(Buffer.from("إسناد").toString(), "سر"));
  expect(signature("إسناد", "a")).not.toBe(signature("إسناد", "b"));
});
