import { expect, test } from "bun:test";
import { errorMessage } from "./error-message.ts";

test("errorMessage() is the message of an error, or its name", () => {
  expect(errorMessage(new TypeError("not a number"))).toBe("not a number");
  expect(errorMessage(new RangeError())).toBe("RangeError");
});

test("errorMessage() takes whatever else is thrown as text", () => {
  expect(errorMessage("gone")).toBe("gone");
  expect(errorMessage(undefined)).toBe("undefined");
  expect(errorMessage(Object.create(null, { toString: { value: () => "odd" } }))).toBe("odd");
});
