/** The command line of the benchmark. */
import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  /** One round instead of five, for trying the benchmark itself. */
  readonly quick: boolean;
  /** Whether a line that does not hold makes the exit status 1. */
  readonly strict: boolean;
  /** Whether the measured part of docs/performance.md and its plot are written anew. */
  readonly document: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const helpText = `Usage: npm run bench [-- OPTION...]

Measures nound against what people would pick instead, and writes build/bench.json.
The servers run on processor 0 and the load generator on processor 1.

  --quick     one round instead of five: a minute and a half instead of six
  --strict    end with status 1 when a line that must hold does not
  --document  write the measured part of docs/performance.md and docs/performance.svg
  --help      print this
`;

/**
 * @param args the command line without the program's name.
 * @throws TypeError for an option that is not known.
 */
export function parseOptions(args: readonly string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { quick: flag, strict: flag, document: flag, help: flag },
  });
  return { quick: values.quick, strict: values.strict, document: values.document, help: values.help };
}
