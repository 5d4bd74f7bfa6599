/**
 * A field of a protobuf message: its number and its value, a whole number, 4 or 8 raw bytes, or a length-delimited
 * piece. Source: protobuf.dev/programming-guides/encoding.
 */
export type Field =
  | { no: number; kind: "varint"; value: bigint }
  | { no: number; kind: "bytes"; value: Uint8Array }
  | { no: number; kind: "fixed"; value: Uint8Array };

/** The fields of a message in their order. @throws RangeError where the bytes end within a field */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("the message is cut off within a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  };
  const piece = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("the message is cut off within a field");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const no = tag >>> 3;
    if ((tag & 7) === 0) fields.push({ no, kind: "varint", value: varint() });
    else if ((tag & 7) === 1) fields.push({ no, kind: "fixed", value: piece(8) });
    else if ((tag & 7) === 2) fields.push({ no, kind: "bytes", value: piece(Number(varint())) });
    else if ((tag & 7) === 5) fields.push({ no, kind: "fixed", value: piece(4) });
    else throw new RangeError(`field ${no} is of a kind that is not read`);
  }
  return fields;
}
