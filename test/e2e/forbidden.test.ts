/** What an application may not do any more once it has called `restrict`. */
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { expect, test } from "vitest";
import { commandOf, hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

interface Tried {
  readonly before: { readonly [call: string]: number };
  readonly restricted: string;
  readonly after: { readonly [call: string]: number };
}

/** Under a runner there is no seccomp, and LeakSanitizer needs calls that are refused. */
const isRestricted = commandOf("nound").length === 1 && !hasSanitizers;

test.skipIf(!isRestricted)(
  "a restricted application opens no socket, starts nothing, changes no owner (not emulated or sanitized)",
  async () => {
    const tried = endedByThisTest(new NoundProcess([], temporaryPath("none"), { program: "nound-forbidden" }));
    const { status, stdout, stderr } = await tried.ending();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { before, restricted, after } = JSON.parse(stdout) as Tried;
    expect(restricted).toContain("system calls restricted by seccomp");
    // None was refused because a right is missing before: it is the filter that is seen.
    expect(Object.entries(before).filter(([, error]) => error === constants.errno.EPERM)).toEqual([]);
    expect(Object.keys(after).length).toBeGreaterThan(100);
    // The C library says in its own words what it could not do.
    const { EPERM, EAGAIN, ENOMEM } = constants.errno;
    const said: { readonly [call: string]: number } = { "a thread": EAGAIN, "executable memory": ENOMEM };
    const wentThrough = Object.entries(after).filter(([call, error]) => error !== EPERM && error !== said[call]);
    expect(wentThrough).toEqual([]);
  },
);

/** Restricts itself, with files to be read later, for which worker threads are started. Then waits for a signal. */
const waiting = `
  import { exit, onSignal, setTimer } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { printOutput } from "nound:system";
  onSignal(() => exit(0));
  setTimer(() => undefined, 60_000);
  printOutput(restrict({ readable: ["/etc"] }));
`;

test.skipIf(!isRestricted)(
  "every thread is restricted, the workers too (skipped under a runner and with sanitizers)",
  async () => {
    const waits = endedByThisTest(new NoundProcess([], "", { application: configurationFile(waiting) }));
    await eventually("it is restricted", () => waits.printed.includes("system calls restricted by seccomp"));
    const threads = readdirSync(`/proc/${waits.pid}/task`);
    expect(threads.length).toBeGreaterThan(1);
    for (const thread of threads) {
      expect(readFileSync(`/proc/${waits.pid}/task/${thread}/status`, "latin1")).toMatch(/^Seccomp:\t2$/m);
    }
    expect(await waits.stop()).toMatchObject({ status: 0, stderr: "" });
  },
);
