import { expect, test } from "bun:test";
import { cutBlocks } from "../body/blocks.ts";
import { parsePage } from "./dom.ts";
import { plainText } from "./text.ts";

test.each([
  ["10<sup>6</sup> cells", "10^6 cells"],
  ["10<sup> -6 </sup> m", "10^-6 m"],
  ["١٠<sup>٦</sup> خلايا", "١٠^٦ خلايا"],
  ["1010<sub>2</sub>", "1010_2"],
  ["CO<sub>2</sub> and H<sub>2</sub>O", "CO2 and H2O"],
  ["5 km<sup>2</sup>, ٣ كم<sup>٢</sup>", "5 km², ٣ كم²"],
  ["9 s<sup>-1</sup>", "9 s⁻¹"],
  ["the 21<sup>st</sup> of May", "the 21st of May"],
  ['in 2019<sup><a href="#n3">3</a></sup>', "in 2019[3]"],
  ['he said<sup id="r"><a href="#n4">[4]</a></sup>', "he said[4]"],
])("what is raised or lowered makes no other number: %s", (html, text) => {
  const page = parsePage(`<html><body><p>${html}</p></body></html>`);
  expect(cutBlocks(page).blocks.map((block) => block.text)).toEqual([text]);
  const paragraph = page.querySelector("p");
  expect(paragraph === null ? "" : plainText(paragraph).trim()).toBe(text);
});
