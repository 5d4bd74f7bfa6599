/** Run as a process: loads onnxruntime in its main thread, and a model in a thread of its own. */
import { openRegistry } from "../../cards/registry.ts";
import { createTagger } from "../../tasks/entities/tagger.ts";
import { addsExactly } from "../onnxruntime.ts";

await addsExactly();
const tagger = await createTagger({ registry: openRegistry(), nestedOnly: true });
await tagger.close();
process.stdout.write("loaded");
