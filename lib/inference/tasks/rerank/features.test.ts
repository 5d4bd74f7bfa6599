import { expect, test } from "bun:test";
import { FEATURES, features } from "./features.ts";

const rows = (values: Float32Array) =>
  Array.from({ length: values.length / FEATURES }, (_, i) => [...values.subarray(i * FEATURES, (i + 1) * FEATURES)]);

test("features() tells the share of the best keyword score, which ones have none, and the place", () => {
  const [first, second, third] = rows(
    features(
      [
        { title: "", text: "", keywordScore: 4 },
        { title: "", text: "", keywordScore: 8 },
        { title: "", text: "" },
      ],
      3,
    ),
  );
  expect(first?.slice(0, 2)).toEqual([0.5, 0]);
  expect(second?.slice(0, 2)).toEqual([1, 0]);
  expect(third?.slice(0, 2)).toEqual([0, 1]);
  expect([first?.[3], second?.[3]]).toEqual([1, 0.5]);
});

test("features() is defined where nothing has a score, and where there is nothing", () => {
  const [only] = rows(features([{ title: "", text: "" }], 1));
  expect(only?.slice(0, 4)).toEqual([0, 1, 0, 1]);
  expect(features([], 1)).toHaveLength(0);
});
