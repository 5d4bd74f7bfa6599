import type { ReTraining } from "./learn-relations.ts";

/** How weights are learned; chosen on five subjects that are not held out, left out of training for that. */
export const TRIGGER_TRAINING: ReTraining = { epochs: 10, rate: 0.15, l2: 1e-4, bits: 16 };
export const ARGUMENT_TRAINING: ReTraining = { epochs: 7, rate: 0.15, l2: 1e-4, bits: 17 };

/** What is added to the scores of events and arguments, so that as many are found as are there; chosen likewise. */
export const BIAS = { triggers: 2, arguments: 0.3 };
