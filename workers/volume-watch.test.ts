import { describe, expect, test } from "bun:test";
import type { SourceVolumeState } from "@isnad/lib/contract";
import { judgeVolume } from "./upkeep.ts";

const judge = (lastDay: number, before: number[], state: SourceVolumeState = "usual") =>
  judgeVolume({ state, lastDay, before });

const WEEKS = [40, 44, 36, 41, 0, 120];

describe("the last day of a source", () => {
  test("is compared with the median of its weeks, which one day off and one of great news do not move", () => {
    expect(judge(38, WEEKS)).toEqual({ state: "usual", usual: 40.5 });
    expect(judge(30, [10, 30, 20])).toEqual({ state: "usual", usual: 20 });
  });

  test("is quiet from a fifth of the usual down, where no week was nearly so low", () => {
    const steady = [40, 44, 36, 41, 50];
    expect(judge(8, steady).state).toBe("quiet");
    expect(judge(9, steady).state).toBe("usual");
    expect(judge(8, [...steady, 15]).state).toBe("usual");
    expect(judge(0, WEEKS).state).toBe("usual");
  });

  test("has doubled from twice the usual on, where no week was as high and chance does not reach so far", () => {
    const steady = [40, 44, 36, 41, 50];
    expect(judge(82, steady).state).toBe("doubled");
    expect(judge(81, steady).state).toBe("usual");
    expect(judge(100, WEEKS).state).toBe("usual");
    expect(judge(19, [8, 8, 8]).state).toBe("usual");
    expect(judge(20, [8, 8, 8]).state).toBe("doubled");
  });

  test("of a small or a new source is never unusual", () => {
    expect(judge(0, [7, 7, 7, 7]).state).toBe("usual");
    expect(judge(70, [7, 7, 7, 7]).state).toBe("usual");
    expect(judge(0, [500, 500])).toEqual({ state: "usual", usual: null });
  });

  test("stays unusual until it is well back, so that a source at the edge does not flap", () => {
    const steady = [40, 40, 40];
    const states = (counts: number[], state: SourceVolumeState) =>
      counts.map((count) => judge(count, steady, state).state);
    expect(states([8, 9, 19, 20], "quiet")).toEqual(["quiet", "quiet", "quiet", "usual"]);
    expect(states([80, 79, 60, 59], "doubled")).toEqual(["doubled", "doubled", "doubled", "usual"]);
    expect(judge(90, steady, "quiet").state).toBe("doubled");
  });

  test("of a source that brings nothing for so long that this becomes its usual day stays quiet until something comes", () => {
    expect(judge(0, [0, 0, 0, 0, 40, 40], "quiet").state).toBe("quiet");
    expect(judge(1, [0, 0, 0, 0, 40, 40], "quiet").state).toBe("usual");
  });
});
