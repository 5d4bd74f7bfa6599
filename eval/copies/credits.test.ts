import { expect, test } from "bun:test";
import { readLabels, scoreCredits } from "./credits.ts";

test("labels of articles have ways to give a name and doubtful names", () => {
  const [one, none] = readLabels("english\tfnc-1\tDiario Gol=دياريو غول; Reuters\tThe Lancet\nenglish\tfnc-2\t\t\n");
  expect(one).toEqual({
    file: "english",
    id: "fnc-1",
    names: [["Diario Gol", "دياريو غول"], ["Reuters"]],
    doubtful: ["The Lancet"],
  });
  expect(none).toEqual({ file: "english", id: "fnc-2", names: [], doubtful: [] });
});

test("credits count each name once, and neither the paper's own nor doubtful ones", () => {
  const text = "Oil rose, Reuters reported. AFP said so, too, and the BBC reported it.";
  const score = (id: string, names: string[], doubtful: string[] = []) =>
    scoreCredits([{ id, text, names: names.map((name) => [name]), doubtful }]);
  expect(score("x", ["Reuters", "Agence France-Presse", "BBC"]).figures.F1).toBe(1);
  expect(score("bbc-1", ["Reuters", "Agence France-Presse"]).figures.F1).toBe(1);
  expect(score("x", ["Reuters"], ["Agence France-Presse", "BBC"]).figures.F1).toBe(1);
  expect(score("x", ["Reuters", "Bloomberg", "BBC"])).toMatchObject({
    figures: { F1: 4 / 6 },
    predictions: ["credits\tx\tReuters, Agence France-Presse, BBC\tReuters, Bloomberg, BBC"],
  });
});
