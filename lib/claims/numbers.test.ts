import { expect, test } from "bun:test";
import { readNumbers } from "./numbers.ts";

const quantities = (text: string) =>
  readNumbers(text).quantities.map(({ value, unit }) => `${+value.toFixed(1)}${unit}`);

test.each([
  ["1,200 people and 3.5 million more", ["1200", "3500000"]],
  ["some ١٬٢٠٠ or ٣٫٥", ["1200", "3.5"]],
  ["thirty-nine of two hundred and five", ["39", "205"]],
  ["one and a half million vehicles", ["1500000"]],
  ["ثلاثة وعشرون ألفا", ["23000"]],
  ["اثني عشر شخصا", ["12"]],
  ["مليونين ونصف المليون", ["2500000"]],
  ["مليون ونصف المليون", ["1500000"]],
  ["ثلاثمئة وخمسون", ["350"]],
  ["$3m and $3bn", ["3000000", "3000000000"]],
  ["35.7 percent, 4% and 12 per cent", ["35.7%", "4%", "12%"]],
  ["٩٫٣ بالمئة و5 في المئة", ["9.3%", "5%"]],
  ["two thirds, a quarter and half", ["66.7%", "25%", "50%"]],
  ["ثلاثة أرباع وثلث", ["75%", "33.3%"]],
  ["one in five children", ["20%"]],
  ["واحد من كل أربعة", ["25%"]],
  ["two hundred and forty-one", ["241"]],
  ["a hundred thousand people", ["100000"]],
  ["ألف ومئتان وخمسون", ["1250"]],
  ["خمسة ملايين وثلاثمئة ألف", ["5300000"]],
  ["مليار دولار", ["1000000000"]],
  ["1.5k, 2m and 3tn", ["1500", "2000000", "3000000000000"]],
  ["۱۲٪ و١٢٫٥٪", ["12%", "12.5%"]],
  ["ثلاثة في المئة", ["3%"]],
  ["three quarters of them", ["75%"]],
  ["from 10 to 20", ["10", "20"]],
  ["for the 15th year, in the first quarter", []],
  ["millions of people, thousands of cars", []],
  ["واحد وعشرون نائبا", ["21"]],
  ["أحد عشر شخصا وإحدى عشرة امرأة", ["11", "11"]],
  ["إحدى وثلاثين دولة", ["31"]],
  ["أحد الوزراء", []],
  ["three fifths and a tenth", ["60%", "10%"]],
  ["four quarters of growth", ["4"]],
  ["3 out of 4", ["75%"]],
  ["5 in 4", ["5", "4"]],
  ["1.200.000 euros", ["1200000"]],
  ["1,5 percent", ["1.5%"]],
  ["2 million and then 500 thousand", ["2000000", "500000"]],
  ["مئتان وخمسون", ["250"]],
  ["ألفين وخمسمئة", ["2500"]],
  ["خمسين في المائة", ["50%"]],
  ["by 3 percentage points", ["3"]],
  ["half a million people", ["500000"]],
  ["a quarter of a million euros", ["250000"]],
  ["نصف مليون لاجئ", ["500000"]],
  ["ربع مليون دينار", ["250000"]],
  ["نصف السكان وربع المدارس", ["50%", "25%"]],
  ["half of a town of 3,000", ["50%", "3000"]],
  ["12.5 pct", ["12.5%"]],
  ["٤٥ ألف لاجئ", ["45000"]],
  ["تسعة عشر قتيلا", ["19"]],
  ["أربعمئة وخمسة", ["405"]],
  ["مئة وخمسون مليون دولار", ["150000000"]],
  ["ثلاثة آلاف وخمسمئة", ["3500"]],
  ["twenty-five thousand", ["25000"]],
  ["£1.2bn and €300m", ["1200000000", "300000000"]],
  ["one in ten, 7 out of 10", ["10%", "70%"]],
  ["عشرة من كل مئة", ["10%"]],
  ["no fewer than seventeen", ["17"]],
])("reads %s", (text, expected) => {
  expect(quantities(text)).toEqual(expected);
});

test.each([
  ["on 6 August 2020", [2020], [8], [6]],
  ["on August 6, 2020", [2020], [8], [6]],
  ["في السادس من آب 2020", [2020], [8], [6]],
  ["في الثاني والعشرين من كانون الأول", [], [12], [22]],
  ["since 1998", [1998], [], []],
  ["They may march in 2020", [2020], [], []],
  ["in May and March 1882", [1882], [5, 3], []],
  ["17 May 2019 and 18 June 2020", [2019, 2020], [5, 6], [17, 18]],
  ["في تشرين الثاني 2019", [2019], [11], []],
  ["مطلع عام 2017", [2017], [], []],
  ["from 2020 to 2021", [2020, 2021], [], []],
])("reads the date of %s", (text, years, months, days) => {
  expect(readNumbers(text)).toMatchObject({ years, months, days, quantities: [] });
});

test("weekdays are told, and a long text is read to a bound", () => {
  expect(readNumbers("on Tuesday, يوم الجمعة والأحد").weekdays).toEqual([2, 5, 0]);
  expect(readNumbers("5 ".repeat(100_000)).quantities.length).toBeLessThan(2_000);
});
