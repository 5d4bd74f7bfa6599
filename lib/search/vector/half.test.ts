import { expect, test } from "bun:test";
import { HalfStore } from "./half.ts";
import { seeded } from "./testing.ts";

/** Every finite float16. */
const FINITE = Uint16Array.from({ length: 65_536 }, (_, bits) => bits).filter((bits) => (bits & 0x7c00) !== 0x7c00);

test("HalfStore decodes every finite float16, the smallest too", () => {
  const values = new Float16Array(FINITE.buffer);
  const store = new HalfStore(1);
  FINITE.forEach((_, row) => {
    store.write(row, FINITE.subarray(row, row + 1));
  });
  const rows = Uint32Array.from(FINITE, (_, row) => row);
  const products = new Float64Array(rows.length);
  store.products(rows, rows.length, Float64Array.of(1), products);
  // A product is added to 0, which takes the sign from a zero.
  expect(products).toEqual(Float64Array.from(values, (value) => value + 0));
});

test("its products are those of a loop over the components, to the last bit, for any rows in any order", () => {
  const random = seeded(31);
  const store = new HalfStore(40);
  const vectors = Array.from({ length: 3000 }, () => Float16Array.from({ length: 40 }, () => random() - 0.5));
  vectors.forEach((vector, row) => {
    store.write(row, new Uint16Array(vector.buffer));
  });
  const query = Float64Array.from({ length: 40 }, () => random() - 0.5);
  for (const count of [0, 1, 2, 7, 1023, 1024, 1025, 5001]) {
    const rows = Uint32Array.from({ length: 6000 }, () => random() * 3000);
    const products = new Float64Array(6000).fill(9);
    store.products(rows, count, query, products);
    for (let i = 0; i < 6000; i++) {
      let sum = 0;
      const vector = vectors[rows[i] ?? 0] ?? [];
      for (let j = 0; j < 40; j++) sum += (vector[j] ?? 0) * (query[j] ?? 0);
      if (products[i] !== (i < count ? sum : 9)) throw new Error(`product ${i} of ${count} is ${products[i]}`);
    }
  }
});

test("it keeps its rows while it grows, and reads many as one", () => {
  const store = new HalfStore(8);
  for (let row = 0; row < 20_000; row++) store.write(row, new Uint16Array(8).fill(row));
  expect([...store.read(19_998, 2)]).toEqual([...new Array(8).fill(19_998), ...new Array(8).fill(19_999)]);
  expect(store.bytes()).toBeLessThan(20_000 * 16 * 1.3 + 100_000);
});
