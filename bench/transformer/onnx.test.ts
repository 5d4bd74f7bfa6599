import { expect, test } from "bun:test";
import { type Field, readFields, writeFields } from "./onnx.ts";

test("fields of every kind come back as they were", () => {
  const fields: Field[] = [
    { no: 1, kind: "varint", value: 0n },
    { no: 2, kind: "varint", value: 300n },
    { no: 16, kind: "varint", value: (1n << 64n) - 1n },
    { no: 3, kind: "bytes", value: Uint8Array.from({ length: 200 }, (_, i) => i) },
    { no: 3, kind: "bytes", value: new Uint8Array() },
    { no: 4, kind: "fixed", value: Uint8Array.of(0, 0, 128, 63) },
    { no: 5, kind: "fixed", value: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
  ];
  const plain = (all: Field[]) => all.map((f) => ({ ...f, value: f.kind === "varint" ? f.value : [...f.value] }));
  expect(plain(readFields(writeFields(fields)))).toEqual(plain(fields));
});

test("the bytes are those of the encoding's own example: field 1 is 150", () => {
  expect([...writeFields([{ no: 1, kind: "varint", value: 150n }])]).toEqual([0x08, 0x96, 0x01]);
});

test("bytes that end within a field are refused", () => {
  for (const bytes of [[0x08], [0x08, 0x80], [0x12, 5, 1], [0x0d, 1], [0x0b]]) {
    expect(() => readFields(Uint8Array.from(bytes))).toThrow(RangeError);
  }
});
