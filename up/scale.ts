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

/** What stands behind `--scale` on the command line; undefined when nothing does. Throws StartError. */
export function scaleArgument(argv: readonly string[]): string | undefined {
  const [first, value, ...more] = argv.flatMap((argument) =>
    argument.startsWith("--scale=") ? ["--scale", argument.slice("--scale=".length)] : [argument],
  );
  if (first === undefined) return undefined;
  if (first === "--scale" && value !== undefined && more.length === 0) return value;
  throw new StartError("up takes --scale SERVICE=N[,SERVICE=N…], and everything else from the environment");
}
