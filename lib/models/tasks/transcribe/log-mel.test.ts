import { describe, expect, test } from "bun:test";
import { at } from "../../../std/mod.ts";
import { createFourier, createLogMel } from "./log-mel.ts";
import { soundOf, SPEECH } from "./testing.ts";

describe("features are those of the reference", () => {
  test.each(SPEECH.features)("with $bins bins", ({ bins, every, values }) => {
    const features = createLogMel(bins, 100)(soundOf(SPEECH.recording));
    expect(features).toHaveLength(bins * 100);
    const off = values.map((value, i) => Math.abs(value - at(features, i * every)));
    expect(Math.max(...off)).toBeLessThan(2e-5);
  });
});

test("what is beyond the frames is not heard, and silence is flat", () => {
  const logMel = createLogMel(80, 100);
  const sound = soundOf(SPEECH.recording);
  expect(logMel(Float32Array.from([...sound, 1, 1, 1]))).toEqual(logMel(sound));
  expect(new Set(logMel(new Float32Array(16_000)))).toEqual(new Set([-1.5]));
});

test.each([1, 12, 25, 400])("the transform of %d numbers is what its definition says", (length) => {
  const source = {
    re: Float64Array.from({ length }, (_, i) => Math.sin(i * i)),
    im: Float64Array.from({ length }, (_, i) => Math.cos(3 * i)),
  };
  const result = { re: new Float64Array(length), im: new Float64Array(length) };
  createFourier(length)(source, result);
  for (let k = 0; k < length; k++) {
    let [re, im] = [0, 0];
    for (let i = 0; i < length; i++) {
      const angle = (-2 * Math.PI * k * i) / length;
      re += at(source.re, i) * Math.cos(angle) - at(source.im, i) * Math.sin(angle);
      im += at(source.re, i) * Math.sin(angle) + at(source.im, i) * Math.cos(angle);
    }
    expect(at(result.re, k)).toBeCloseTo(re, 8);
    expect(at(result.im, k)).toBeCloseTo(im, 8);
  }
});

test("a length of a large prime has no transform here", () => {
  expect(() => createFourier(34)).toThrow(RangeError);
});
