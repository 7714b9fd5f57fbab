/** The command line of the benchmark. */
import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  /** One round instead of five, for trying the benchmark itself. */
  readonly quick: boolean;
  /** Whether a line that does not hold makes the exit status 1. */
  readonly strict: boolean;
  /** Whether the measured part of docs/dev/performance.md and its plot are written again. */
  readonly document: boolean;
  /** Whether nothing but nound's instructions is counted, which other work on the machine does not disturb. */
  readonly instructions: boolean;
  /** Whether nothing is measured but what a broker costs. */
  readonly broker: boolean;
  /** Whether nothing is measured but what people use instead of nound. */
  readonly peers: boolean;
  /** Whether nothing is measured but encrypted connections. */
  readonly tls: boolean;
  /** The names of the workloads whose instructions are counted; all that are counted where none is named. */
  readonly workloads: readonly string[];
  readonly help: boolean;
}

/** What `--help` prints. */
export const helpText = `Usage: npm run bench [-- OPTION...]
       npm run bench -- --instructions [WORKLOAD...]
       npm run bench -- --broker
       npm run bench -- --peers
       npm run bench -- --tls [--document]

Measures nound against what people would pick instead, and writes build/bench.json.
The servers run on processor 0 and the load generator on processor 1.

  --quick         one round instead of five: four minutes instead of fifteen
  --strict        end with status 1 when a line that must hold does not
  --document      write the measured part of docs/dev/performance.md and docs/dev/performance.svg; with --tls,
                  the part about encrypted connections
  --instructions  only count nound's instructions, of the workloads that are named
                  (get, put-pin, ...) or of all; other work on the machine does no harm
  --broker        only measure what a broker of MQTT costs, here and on Node with npm's mqtt
  --peers         install what people use instead into build/peers, measure it, and write its table in
                  docs/dev/performance.md; NOUND_MYGPIOD names a folder with myGPIOd's sources
  --tls           only measure encrypted connections, beside those of nginx
  --help          print this

NOUND_BUILD_DIR names another build folder than build/host.
`;

/**
 * @param args the command line without the program's name.
 * @throws TypeError for an option that is not known, and for a workload that is named where all are measured.
 */
export function parseOptions(args: readonly string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      quick: flag,
      strict: flag,
      document: flag,
      instructions: flag,
      broker: flag,
      peers: flag,
      tls: flag,
      help: flag,
    },
    allowPositionals: true,
  });
  if (positionals.length > 0 && !values.instructions) {
    throw new TypeError("workloads are named for --instructions only");
  }
  return { ...values, workloads: positionals };
}
