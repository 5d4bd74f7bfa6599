import { AudioError } from "./error.ts";

/** A stretch of sound, all channels made one: samples from -1 to 1, `rate` of them a second. */
export type Pcm = { rate: number; samples: Float32Array };

/** Channels and samples a second that recordings have at most; more is a head that lies. */
const MAX_CHANNELS = 32;
const RATES = { least: 1_000, most: 768_000 };

/** Checks what a head says. @throws AudioError `damaged` */
export function checkShape({ rate, channels }: { rate: number; channels: number }): void {
  if (channels < 1 || channels > MAX_CHANNELS) {
    throw new AudioError("damaged", `The recording names ${channels} channels; 1 to ${MAX_CHANNELS} are read.`);
  }
  if (!(rate >= RATES.least && rate <= RATES.most)) {
    throw new AudioError(
      "damaged",
      `The recording names ${rate} samples a second; ${RATES.least} to ${RATES.most} are read.`,
    );
  }
}

/** The mean of several channels of the same length, in a new array. */
export function mixDown(channels: readonly Float32Array[]): Float32Array {
  const mixed = new Float32Array(channels[0]?.length ?? 0);
  for (const channel of channels) for (const [i, value] of channel.entries()) mixed[i] = (mixed[i] ?? 0) + value;
  if (channels.length > 1) for (const [i, value] of mixed.entries()) mixed[i] = value / channels.length;
  return mixed;
}
