import { grown } from "../vector/grow.ts";
import { readVarints } from "./varint.ts";

/**
 * Numbers in units of 16 bits: one below this takes one unit; a larger one, below 2²⁸, takes two, of which the first
 * is this and more. They are read some times as fast as varints, and take about as much room.
 */
export const LONG = 0xf000;

const make = (length: number): Uint32Array => new Uint32Array(length);
let numbers: Uint32Array = make(1024);

/** Varints, as a document's words are in the database, packed. */
export function packed(varints: Uint8Array): Uint16Array {
  numbers = grown(numbers, varints.length, make);
  const count = readVarints(varints, 0, varints.length, numbers);
  let length = count;
  for (let i = 0; i < count; i++) if ((numbers[i] ?? 0) >= LONG) length++;
  const units = new Uint16Array(length);
  let to = 0;
  for (let i = 0; i < count; i++) {
    const number = numbers[i] ?? 0;
    if (number >= LONG) units[to++] = LONG + (number >>> 16);
    units[to++] = number & 0xffff;
  }
  return units;
}

/** As {@link readVarints}, of what is {@link packed}. */
export function readPacked(units: Uint16Array, from: number, to: number, into: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; ) {
    const unit = units[i++] ?? 0;
    into[count++] = unit < LONG ? unit : ((unit - LONG) << 16) | (units[i++] ?? 0);
  }
  return count;
}
