export { checkAudio, decodeAudio } from "./decode.ts";
export { AudioError, type AudioErrorCode } from "./pcm.ts";
export type { AudioFormat } from "./decode.ts";
