import type { Field } from "./protobuf.ts";

/** The bytes of a message with these fields. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { no, kind, value } of fields) {
    if (kind === "varint") parts.push(varint(BigInt(no) << 3n), varint(BigInt.asUintN(64, value)));
    else if (kind === "fixed") parts.push(varint((BigInt(no) << 3n) | (value.length === 8 ? 1n : 5n)), value);
    else parts.push(varint((BigInt(no) << 3n) | 2n), varint(BigInt(value.length)), value);
  }
  return Buffer.concat(parts);
}

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Uint8Array.from([...out, low]);
    out.push(low | 0x80);
  }
}
