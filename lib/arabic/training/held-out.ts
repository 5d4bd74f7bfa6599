/** Whether a sentence of the treebank, counted from 0, measures the model and is never trained on: every fifth. */
export function heldOut(number: number): boolean {
  return number % 5 === 4;
}
