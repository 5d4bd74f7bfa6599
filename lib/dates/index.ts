export { type DateOptions, type FoundDate, findDates } from "./find-dates.ts";
export { parseDate } from "./parse-date.ts";
