/**
 * Run as a process by `decodeMp3`: takes an MP3 file from its input and writes its sound in one channel, in stretches:
 * the samples a second and their number as 32-bit integers, then the samples as 32-bit floats, in the machine's order.
 */
import { readFileSync } from "node:fs";
import { stdin, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { Decoder } from "minimp3-wasm";
import { checkShape } from "../pcm.ts";

/** Seconds that are decoded at a time. */
const STRETCH_S = 5;

const bytes = Buffer.concat(await Array.fromAsync<Uint8Array>(stdin));
const code = readFileSync(fileURLToPath(import.meta.resolve("minimp3-wasm/dist/decoder.opt.wasm")));
const decoder = new Decoder(new WebAssembly.Instance(new WebAssembly.Module(code)).exports, bytes);
for (;;) {
  const { pcm, numSamples, numChannels, samplingRate: rate } = decoder.decode(STRETCH_S);
  if (numSamples === 0) break;
  checkShape({ rate, channels: numChannels });
  const samples = new Float32Array(numSamples / numChannels);
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    for (let c = 0; c < numChannels; c++) sum += pcm[i * numChannels + c] ?? 0;
    samples[i] = sum / numChannels / 0x8000;
  }
  await write(new Uint8Array(Uint32Array.of(rate, samples.length).buffer));
  await write(new Uint8Array(samples.buffer));
}

/** Resolves when the reader has taken what came before: decoding goes no faster than it reads. */
function write(part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(part, (error) => (error ? reject(error) : resolve()));
  });
}
