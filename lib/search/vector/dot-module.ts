// One WebAssembly function with 128-bit integer products, assembled here because it is short: it reads 16 dimensions a
// step, at about the speed
// of memory, where a loop in JavaScript takes ten times as long.

const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  branch: (depth: number) => [0x0c, depth],
  branchIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  i32Const: (small: number) => [0x41, small],
  i32Load: [0x28, 2, 0],
  i32Store: [0x36, 2, 0],
  i32Eqz: [0x45],
  i32LessThanUnsigned: [0x49],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32Mul: [0x6c],
  v128Load: (offset: number) => [0xfd, 0x00, 0, offset],
  v128Load8x8: (offset: number) => [0xfd, 0x01, 0, offset],
  v128Zero: [0xfd, 0x0c, ...new Array<number>(16).fill(0)],
  i32x4Lane: (lane: number) => [0xfd, 0x1b, lane],
  i32x4Add: [0xfd, 0xae, 0x01],
  i32x4DotI16x8: [0xfd, 0xba, 0x01],
};

const [rows, list, count, dims, query, out, row, end, at, even, odd] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function advance(local: number, bytes: number): number[] {
  return [...op.get(local), ...op.i32Const(bytes), ...op.i32Add, ...op.set(local)];
}

/** accumulator += the eight products of codes and query at this offset */
function accumulate(accumulator: number, codesOffset: number, queryOffset: number): number[] {
  return [
    ...op.get(accumulator),
    ...op.get(row),
    ...op.v128Load8x8(codesOffset),
    ...op.get(at),
    ...op.v128Load(queryOffset),
    ...op.i32x4DotI16x8,
    ...op.i32x4Add,
    ...op.set(accumulator),
  ];
}

const instructions = [
  ...op.block,
  ...op.loop,
  ...[...op.get(count), ...op.i32Eqz, ...op.branchIf(1)],
  ...[...op.get(rows), ...op.get(list), ...op.i32Load, ...op.get(dims), ...op.i32Mul, ...op.i32Add, ...op.set(row)],
  ...[...op.get(row), ...op.get(dims), ...op.i32Add, ...op.set(end)],
  ...[...op.get(query), ...op.set(at)],
  ...[...op.v128Zero, ...op.set(even), ...op.v128Zero, ...op.set(odd)],
  ...op.loop,
  ...accumulate(even, 0, 0),
  ...accumulate(odd, 8, 16),
  ...advance(row, 16),
  ...advance(at, 32),
  ...[...op.get(row), ...op.get(end), ...op.i32LessThanUnsigned, ...op.branchIf(0)],
  ...op.end,
  ...[...op.get(even), ...op.get(odd), ...op.i32x4Add, ...op.set(even)],
  ...op.get(out),
  ...[...op.get(even), ...op.i32x4Lane(0), ...op.get(even), ...op.i32x4Lane(1), ...op.i32Add],
  ...[...op.get(even), ...op.i32x4Lane(2), ...op.get(even), ...op.i32x4Lane(3), ...op.i32Add],
  ...op.i32Add,
  ...op.i32Store,
  ...advance(list, 4),
  ...advance(out, 4),
  ...[...op.get(count), ...op.i32Const(1), ...op.i32Sub, ...op.set(count)],
  ...op.branch(0),
  ...op.end,
  ...op.end,
  ...op.end,
];

function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >> 7)];
}

function section(id: number, body: number[]): number[] {
  return [id, ...leb128(body.length), ...body];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}

const i32 = 0x7f;
const v128 = 0x7b;
const body = [2, 3, i32, 2, v128, ...instructions];

/** The module's bytes. It imports `env.memory` and exports `dots`. */
export const dotModule = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 6, i32, i32, i32, i32, i32, i32, 0]),
  ...section(2, [1, ...name("env"), ...name("memory"), 0x02, 0x00, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name("dots"), 0x00, 0]),
  ...section(10, [1, ...leb128(body.length), ...body]),
]);

/**
 * For each of `count` row numbers (u32) at `list`, the dot product of that row of `rows` (`dims` int8, a multiple of
 * 16) with `query` (`dims` int16), written to `out` (i32). All addresses are bytes in the imported memory. A sum that
 * leaves 32 bits wraps.
 */
export type Dots = (rows: number, list: number, count: number, dims: number, query: number, out: number) => void;
