/** A program of two files, bundled by tools/build/bundle.mjs, whose errors come from known lines. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The file that throws. Its lines are counted by the tests: each place of interest has its number in a comment. */
export const nounSource = `interface Options { // 1
  readonly value: number;
}

/** A type is gone in the bundle, and so is this comment. */
type Values = readonly number[];

export function broken(options: Options, values: Values): number {
  const factors = [
    1,
    2,
  ];
  return values.map(
    (value) => {
      if (value === 2) throw new Error(\`no \${options.value * (factors[0] ?? 0)}\`); // 15
      return value;
    },
  ).length; // 18
}

export class Noun {
  setState(): number { const a = 1; return a +
    broken({ value: 7 }, [1, 2]); // 23
  }
}
`;

const mainSource = `import { Noun } from "./noun.ts";

const noun =
  new Noun();
export function run(): number {
  return noun
    .setState(); // 7
}
`;

/** The project's folder, which goes with the test run. */
export const project = mkdtempSync(join(tmpdir(), "nound-trace-"));
process.once("exit", () => rmSync(project, { recursive: true, force: true }));
mkdirSync(join(project, "src"));
writeFileSync(join(project, "src/noun.ts"), nounSource);
writeFileSync(join(project, "src/main.ts"), mainSource);

/** Bundles the project. @returns the path of the bundle. */
export function bundled(...options: readonly string[]): string {
  const bundle = join(project, `bundle${options.join("")}.mjs`);
  const tool = resolve(import.meta.dirname, "../../../tools/build/bundle.mjs");
  const script = join(project, `bundle${options.join("")}.js`);
  execFileSync(process.execPath, [tool, ...options, "--root", project, join(project, "src/main.ts"), script]);
  // Node takes a file for a module by this ending.
  writeFileSync(bundle, readFileSync(script));
  return bundle;
}
