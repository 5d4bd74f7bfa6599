import { StartError } from "./stack.ts";

/** Most processes of one service; a cluster is for more. */
const MOST = 32;

/**
 * How many processes of each service `text` (`workers=2,api=2`) asks for; those not named get one. Throws StartError.
 */
export function readScale(text: string, services: readonly string[]): Map<string, number> {
  const scale = new Map(services.map((name) => [name, 1]));
  if (text.trim() === "") return scale;
  for (const part of text.split(",")) {
    const [name = "", count = "", ...more] = part.trim().split("=");
    if (!scale.has(name))
      throw new StartError(`--scale: there is no service ${name}; there are ${services.join(", ")}`);
    const number = /^[0-9]{1,3}$/.test(count) && more.length === 0 ? Number(count) : 0;
    if (number < 1 || number > MOST) throw new StartError(`--scale: ${name} takes a number from 1 to ${MOST}`);
    scale.set(name, number);
  }
  return scale;
}
