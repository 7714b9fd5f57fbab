/**
 * States that are kept at moments at which the power fails, between any two of the store's calls: each noun has what it
 * had, or what it was given, and nothing else. NOUND_LONG has 200 moments.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasSanitizers, isLong } from "../harness/environment.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const moments = isLong ? 200 : 8;
const canTrace = !hasSanitizers && noSysfsTree === undefined && spawnSync("strace", ["true"]).status === 0;

/** The calls of the store for one text, in their order. It makes the second fsync(2) for the folder. */
const calls = ["fsync", "renameat"] as const;

const nouns = {
  value: {
    kind: "value",
    boot: "restore",
    default: { n: 0 },
    shape: { n: { type: "integer", minimum: 0, maximum: 999 } },
  },
  switch: { kind: "switch", key: "on", boot: "restore" },
  led: { kind: "led", device: "green", default: { brightness: 0 }, boot: "restore" },
  pwm: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 1_000, boot: "restore" },
  schedule: { kind: "schedule", from: "18:00", to: "23:00", boot: "restore" },
  // biome-ignore lint/suspicious/noThenProperty: the word of a rule
  rule: { kind: "rule", at: "03:00", then: { "DELETE value": {} }, boot: "restore" },
};

const isEven = (moment: number) => moment % 2 === 0;
const two = (number: number) => String(number).padStart(2, "0");

/** What each noun is given in the order of a moment, another state than in the one before. */
const given: { readonly [noun: string]: (moment: number) => object } = {
  value: (moment) => ({ n: moment + 1 }),
  switch: (moment) => ({ on: isEven(moment) ? 1 : 0 }),
  led: (moment) => ({ brightness: (moment % 200) + 1 }),
  pwm: (moment) => ({ percent: (moment % 50) + 1, enabled: isEven(moment) }),
  schedule: (moment) => ({ enabled: !isEven(moment), from: `${two(moment % 24)}:30`, to: `${two(moment % 23)}:45` }),
  rule: (moment) => ({ enabled: !isEven(moment) }),
};

test.skipIf(!canTrace)(
  "a noun of each kind that keeps its state has the old or the new one after a loss of power",
  async () => {
    const sys = new SysfsTree();
    sys.put("/sys/class/leds/green/max_brightness", "255\n");
    for (const name of ["period", "duty_cycle", "enable"]) sys.put(`/sys/class/pwm/pwmchip0/pwm0/${name}`, "0\n");
    sys.put("/sys/class/pwm/pwmchip0/npwm", "1\n");
    sys.put("/sys/class/pwm/pwmchip0/pwm0/polarity", "normal\n");
    const stateDirectory = temporaryPath("states");
    mkdirSync(stateDirectory, { mode: 0o700 });
    const trace = temporaryPath("trace");
    const names = Object.keys(given);
    let before: { readonly [noun: string]: unknown } | undefined;
    let ended = 0;
    // The first start keeps the date as well.
    const dated = await Service.start(nouns, { stateDirectory, wrapper: sys.wrapper });
    await dated.process.stop();
    for (let moment = 0; moment < moments; moment++) {
      // The power has failed, so the hardware has forgotten everything.
      sys.put("/sys/class/leds/green/brightness", "0\n");
      sys.put("/sys/class/pwm/pwmchip0/pwm0/duty_cycle", "0\n");
      const call = calls[moment % calls.length] ?? "fsync";
      const number = 1 + (Math.floor(moment / calls.length) % (names.length * (call === "fsync" ? 2 : 1)));
      const inject = `inject=${call}:signal=KILL:when=${number}`;
      const strace = ["strace", "-D", "-f", "-qq", "-o", trace, "-e", `trace=${call}`, "-e", inject];
      const service = await Service.start(nouns, { stateDirectory, wrapper: [...sys.wrapper, ...strace] });
      const first = (await service.ask("GET", "/")) as { readonly [noun: string]: object };
      if (before !== undefined) expect(first, `after moment ${moment}`).toMatchObject(before);
      const isGiven = new Map<string, boolean>();
      // Each moment begins with another noun, so that each write of each one is met.
      for (let index = 0; index < names.length; index++) {
        const name = names[(index + moment) % names.length] ?? "";
        const answer = await service.ask("PUT", `/${name}`, given[name]?.(moment) ?? {}).catch(() => undefined);
        isGiven.set(name, answer !== undefined);
        if (answer === undefined) break;
      }
      service.process.kill();
      await service.process.ending();
      if (readFileSync(trace, "utf8").includes("killed by SIGKILL")) ended += 1;
      rmSync(trace);
      // The kernel need not have written a file that was not synchronized.
      for (const file of readdirSync(stateDirectory).filter((name) => name.startsWith("."))) {
        const path = join(stateDirectory, file);
        truncateSync(path, moment % (statSync(path).size + 1));
      }
      before = Object.fromEntries(
        names.map((name) => {
          const [old, next] = [first[name], given[name]?.(moment)];
          const isNew = isGiven.get(name);
          if (isNew === true) return [name, expect.objectContaining(next ?? {})];
          return [
            name,
            isNew === undefined ? expect.objectContaining(old ?? {}) : expect.toSatisfy(isEither(old, next)),
          ];
        }),
      );
    }
    expect(ended).toBe(moments);
  },
  isLong ? 900_000 : undefined,
);

/** @returns whether a state has all of one, or all of another one. */
function isEither(old: object | undefined, next: object | undefined): (state: unknown) => boolean {
  const has = (state: object, wanted: object) =>
    Object.entries(wanted).every(([key, value]) => key === "last" || state[key as keyof object] === value);
  return (state) => [old ?? {}, next ?? {}].some((wanted) => has(state as object, wanted));
}
