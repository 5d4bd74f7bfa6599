import { expect, test } from "bun:test";
import { describeError } from "./connection.ts";

test.each([
  [
    '{"error":{"message":"too long","type":"invalid_request_error","code":"context_length"}}',
    "context_length invalid_request_error too long",
  ],
  ['{"error":"model not found"}', "model not found"],
  ['{"object":"error","message":"bad","code":400}', "400 bad"],
  ['{"detail":[{"msg":"field required"},{"msg":"no"}]}', "field required no"],
  ['{"error":"{\\"message\\":\\"within\\"}"}', "within"],
  ["plain  words\nof a proxy", "plain words of a proxy"],
  ["<html><body>502</body></html>", ""],
  ["", ""],
  ["null", "null"],
  ["[]", "[]"],
])("%s is described as what it says", (body, said) => {
  expect(describeError(body)).toBe(said);
});

test("a message is cut, and holds no key, whole or in part", () => {
  expect(describeError("x".repeat(1000))).toHaveLength(200);
  expect(describeError("key s3cret, or sk-abc123****def, or Bearer s3cret", "s3cret")).toBe(
    "key [redacted], or [redacted], or Bearer [redacted]",
  );
});
