/**
 * A process that the kernel gives little: room for addresses, and a stack. It ends with a sentence, or serves; it never
 * crashes.
 */
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { commandOf, memoryNotJudged } from "../harness/environment.ts";
import { configurationFile, type Ending, NoundProcess } from "../harness/nound-process.ts";
import { cleanEnding, endedByThisTest } from "../harness/served.ts";

async function run(limit: string, args: readonly string[], application?: string): Promise<Ending> {
  const options = { wrapper: ["prlimit", limit], ...(application === undefined ? {} : { application }) };
  return await endedByThisTest(new NoundProcess(args, "", options)).ending();
}

/** Bytes of addresses. With less than the first, the kernel itself does not start a program of this size. */
const limits = Array.from(
  { length: 44 },
  (_, index) => statSync(commandOf("nound").at(-1) ?? "").size + (300 + 50 * index) * 1_024,
);

/**
 * Takes all memory there is, then recurses as deep as it may. What it needs for that is there before: nothing can be
 * made afterwards.
 */
const recursing = `
  import { exit } from "nound:loop";
  import { printOutput } from "nound:system";
  const held = [];
  let depth = 0;
  const recurse = () => {
    depth += 1;
    return recurse() + 1;
  };
  let caught = "";
  for (const size of [65536, 1024]) {
    try {
      for (;;) held.push(new Uint8Array(size));
    } catch {}
  }
  try {
    recurse();
  } catch (error) {
    caught = error.name;
  }
  held.length = 0;
  printOutput(\`\${caught}, \${depth > 100}\`);
  exit(0);
`;

test.skipIf(memoryNotJudged !== undefined)(
  "whatever room it has for addresses, it starts or says that it cannot",
  async () => {
    const endings = await Promise.all(limits.map((limit) => run(`--as=${limit}`, ["--version"])));
    const crashed = endings.filter(
      ({ status, stdout, stderr }) =>
        !(status === 0
          ? /^nound \d/.test(stdout)
          : (status === 70 || status === 71) && /^nound: [^\n]+\n/.test(stderr)),
    );
    expect(crashed).toEqual([]);
    expect(new Set(endings.map(({ status }) => status))).toEqual(new Set([0, 70, 71]));
  },
);

test.skipIf(memoryNotJudged !== undefined)(
  "a noun that recurses when there is no memory left gets an error",
  async () => {
    const file = configurationFile(recursing);
    for (const limit of [5_000_000, 7_000_000, 9_000_000]) {
      expect(await run(`--as=${limit}`, [], file)).toEqual({
        ...cleanEnding,
        stdout: expect.stringMatching(/^(Internal|Range)Error, true$/),
      });
    }
  },
);

test.skipIf(memoryNotJudged !== undefined)("a stack that is too small is refused with a sentence", async () => {
  const { status, stderr } = await run("--stack=262144", ["--version"]);
  expect({ status, stderr }).toEqual({
    status: 71,
    stderr: "nound: cannot start: its stack is limited to 256 KB, and it needs 480 KB; see ulimit -s\n",
  });
});
