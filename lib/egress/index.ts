export { type DecodedText, decodeText } from "./charset/decode.ts";
