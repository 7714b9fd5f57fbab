/** Commands that a shell inside of another system runs one after the other, and what came of each. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How a command ended, and what it printed. */
export interface Outcome {
  readonly status: number;
  readonly output: string;
}

/**
 * Writes the commands into `/root` of a system.
 *
 * @returns the script that runs them, by its path in that system.
 */
export function writeSteps(root: string, commands: Readonly<Record<string, string>>, last = ""): string {
  const steps = Object.values(commands).map((command, index) => {
    writeFileSync(join(root, `root/step${index}`), `${command}\n`);
    return `sh /root/step${index} > /root/output${index} 2>&1 < /dev/null; echo $? > /root/status${index}`;
  });
  writeFileSync(join(root, "root/steps"), `${[...steps, last].join("\n")}\n`);
  return "/root/steps";
}

/** Reads what came of the commands. @throws Error with what `printed` says, if one has not ended. */
export function readOutcomes<Name extends string>(
  root: string,
  commands: Readonly<Record<Name, string>>,
  printed: string,
): Readonly<Record<Name, Outcome>> {
  const read = (name: string) => readFileSync(join(root, "root", name), "utf8");
  const outcomes = Object.keys(commands).map((name, index): [string, Outcome] => {
    if (!existsSync(join(root, `root/status${index}`)))
      throw new Error(`the system ended before the step ${name}:\n${printed}`);
    return [name, { status: Number(read(`status${index}`)), output: read(`output${index}`) }];
  });
  return Object.fromEntries(outcomes) as Record<Name, Outcome>;
}
