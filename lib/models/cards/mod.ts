/** For threads that read a model's files by themselves: the models at hand, without the tasks. */
export { textOf } from "../runtime/onnxruntime.ts";
export { openRegistry } from "./registry.ts";
