export { checkAudio, decodeAudio } from "./decode.ts";
export { AudioError, type AudioErrorCode } from "./error.ts";
export type { AudioFormat } from "./format.ts";
