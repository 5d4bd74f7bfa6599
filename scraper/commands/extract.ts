export { scraperExtract } from "./extract-page.ts";
