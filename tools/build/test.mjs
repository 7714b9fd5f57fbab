/** `npm test`: the suites that need no other hardware, one after the other, with an estimate before each. */

import "./node-version.mjs";
import { spawnSync } from "node:child_process";

/** Each suite with the minutes that it takes on two quiet processors, the builds included. */
const suites = { unit: 1, examples: 0.1, packaging: 1.2, e2e: 4 };

const total = Math.ceil(Object.values(suites).reduce((sum, minutes) => sum + minutes));
console.log(
  `nound: ${Object.keys(suites).join(", ")}: about ${total} minutes on two quiet processors. ` +
    "Tests of programs that are not installed are skipped by name.",
);
for (const [index, [suite, minutes]] of Object.entries(suites).entries()) {
  const time = minutes < 1 ? "less than a minute" : `about ${Math.ceil(minutes)} min`;
  console.log(`nound: suite ${index + 1} of ${Object.keys(suites).length}, ${suite}: ${time}`);
  const { status } = spawnSync("npx", ["vitest", "run", "--project", suite, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
