/**
 * The total of a meter at moments at which the program is killed or the power fails. NOUND_LONG has 200 moments.
 *
 * The power fails between any two of the store's calls: strace ends the process at one of them, and the test takes from
 * the folder what the kernel need not have written by then.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { hasSanitizers, isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post } from "../harness/request.ts";

const moments = isLong ? 200 : 16;
const limit = isLong ? 900_000 : undefined;
const canTrace = !hasSanitizers && spawnSync("strace", ["true"]).status === 0;

/** What the meter showed, and what its store had then. */
interface Shown {
  readonly total: number;
  readonly written: number;
}

/** The calls of the store for one text, in their order. It makes the second fsync(2) for the folder. */
const calls = ["unlinkat", "fsync", "renameat"] as const;

/** @returns a number below `limit`, the same for each run of the test. */
function random(seed: number, limit: number): number {
  return Math.floor((Math.abs(Math.sin(seed + 1) * 10_000) % 1) * limit);
}

class Meter {
  readonly folder = temporaryPath("states");
  private readonly bundle: string;
  private readonly text = join(this.folder, "total-test");
  private readonly half = join(this.folder, ".total-test.new");

  constructor(bundle: string) {
    this.bundle = bundle;
    mkdirSync(this.folder);
  }

  /** @param wrapper a command before the program's. */
  async start(wrapper: readonly string[] = []): Promise<{ nound: NoundProcess; connection: RawConnection }> {
    const address = await freeAddress();
    const nound = new NoundProcess([address, this.folder], address, { application: this.bundle, wrapper });
    onTestFinished(() => nound.kill());
    try {
      await nound.listening();
      return { nound, connection: await RawConnection.open(address) };
    } catch (error) {
      nound.kill();
      await nound.ended;
      throw error;
    }
  }

  /** Takes away what may be lost: bytes of a text that is still being written, and the last new name. */
  damage(moment: number, before: number): void {
    if (existsSync(this.half)) truncateSync(this.half, random(moment, statSync(this.half).size + 1));
    else if (existsSync(this.text) && Number(readFileSync(this.text, "utf8")) !== before && random(moment, 2) === 0) {
      renameSync(this.text, this.half);
      if (before > 0) writeFileSync(this.text, String(before));
    }
  }
}

async function show(connection: RawConnection, request: string): Promise<Shown> {
  connection.send(request);
  const { status, body } = await connection.response();
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as Shown;
}

/** @returns what was shown last before the connection ended. */
async function pulseUntilEnd(connection: RawConnection, first: Shown, most: number): Promise<Shown> {
  let last = first;
  try {
    for (let count = 0; count < most; count++) last = await show(connection, post("/meter", {}));
  } catch {
    // The program has ended.
  }
  return last;
}

test(
  "a meter that is killed has what its store had, and no pulse twice",
  async () => {
    const meter = new Meter(await bundleApplication("test/e2e/meter-application.ts"));
    let last: Shown = { total: 0, written: 0 };
    let unanswered = 0;
    for (let moment = 0; moment < moments; moment++) {
      const { nound, connection } = await meter.start();
      const first = await show(connection, get("/meter"));
      expect(first.total, `after moment ${moment}`).toBeGreaterThanOrEqual(last.written);
      expect(first.total, `after moment ${moment}`).toBeLessThanOrEqual(last.total + unanswered);
      expect(first.total).toBe(first.written);
      last = await pulseUntilEnd(connection, first, 1 + random(moment, 4));
      if (moment % 2 === 0) {
        await eventually("the interval is over, and the total written", async () => {
          last = await show(connection, get("/meter"));
          return last.written === last.total;
        });
      }
      unanswered = random(moment, 3);
      for (let count = 0; count < unanswered; count++) connection.send(post("/meter", {}));
      nound.kill();
      await nound.ended;
    }
    expect(last.total).toBeGreaterThanOrEqual(moments);
  },
  limit,
);

test.skipIf(!canTrace)(
  "a meter has, after a loss of power between any two writes, what it had written",
  async () => {
    const meter = new Meter(await bundleApplication("test/e2e/meter-application.ts"));
    let last: Shown = { total: 0, written: 0 };
    let ended = 0;
    for (let moment = 0; moment < moments; moment++) {
      const call = calls[moment % calls.length] ?? "fsync";
      const number = 1 + (Math.floor(moment / calls.length) % 6);
      const inject = `inject=${call}:signal=KILL:when=${number}`;
      const trace = temporaryPath("trace");
      const wrapper = ["strace", "-D", "-f", "-qq", "-o", trace, "-e", `trace=${call}`, "-e", inject];
      // The store also removes what was half written, at the start: then nothing is counted.
      const started = await meter.start(wrapper).catch(() => undefined);
      if (started !== undefined) {
        const first = await show(started.connection, get("/meter"));
        expect(first.total, `after moment ${moment}`).toBeGreaterThanOrEqual(last.written);
        expect(first.total, `after moment ${moment}`).toBeLessThanOrEqual(last.total + 1);
        last = await pulseUntilEnd(started.connection, first, 10);
        started.nound.kill();
        await started.nound.ended;
      }
      if (readFileSync(trace, "utf8").includes("killed by SIGKILL")) ended += 1;
      meter.damage(moment, last.written);
      rmSync(trace);
    }
    expect(ended).toBe(moments);
  },
  limit,
);
