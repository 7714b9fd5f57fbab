/**
 * The kinds that measure, on a tree of files instead of /sys: what they read, what they refuse, and who waits for them.
 */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { freeAddress, isListening } from "../harness/address.ts";
import { withConstants } from "../harness/constants.ts";
import { hasSanitizers, isEmulated } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, type StartOptions, temporaryPath } from "../harness/nound-process.ts";
import { statusWords } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";
import { ample } from "../harness/time-limits.ts";
import { expectMedian, judgesTime } from "../harness/waiting-time.ts";

type Nouns = { readonly [name: string]: { readonly kind: string; readonly [option: string]: unknown } };

async function launch(
  nouns: Nouns,
  args: readonly string[],
  options: StartOptions,
  limits: object = {},
): Promise<NoundProcess> {
  const address = await freeAddress();
  const { written, environment } = withConstants({ listen: address, limits, nouns });
  const words = ["--config", configurationFile(JSON.stringify(written)), ...args];
  const nound = new NoundProcess(words, address, { ...options, environment });
  await nound.listening();
  return nound;
}

const start = async (tree: SysfsTree, nouns: Nouns) => forThisTest(await launch(nouns, [], { wrapper: tree.wrapper }));

async function askWhole(nound: NoundProcess, bytes: string) {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { status, body } = await connection.response();
  connection.drop();
  return { status, state: JSON.parse(body.toString()) as State };
}

const ask = async (nound: NoundProcess, bytes: string) => (await askWhole(nound, bytes)).state;

const threadsOf = (nound: NoundProcess) => readdirSync(`/proc/${nound.pid}/task`).length;

const hwmon = { kind: "sensor", device: "lm75", channel: "temp1" };
const w1Folder = "/sys/bus/w1/devices/28-0316a2796ee1";
const w1Text = "5e ff 4b 46 7f ff 02 10 a1 : crc=a1 YES\n5e ff 4b 46 7f ff 02 10 a1 t=-10125\n";

describe.skipIf(noSysfsTree !== undefined)("on a tree of files (skipped where none can be mounted)", () => {
  test("each kind gives what cat shows, times its scale", async () => {
    const tree = new SysfsTree();
    const files: readonly (readonly [path: string, text: string])[] = [
      ["/sys/class/hwmon/hwmon7/name", "lm75\n"],
      ["/sys/class/hwmon/hwmon7/temp1_input", "-23500\n"],
      ["/sys/class/hwmon/hwmon7/in3_input", "11987\n"],
      ["/sys/class/hwmon/hwmon7/fan2_label", "CPU\n"],
      ["/sys/class/hwmon/hwmon7/fan2_input", "1350\n"],
      ["/sys/class/hwmon/hwmon7/power1_input", "4250000\n"],
      ["/sys/class/thermal/thermal_zone4/type", "soc-thermal\n"],
      ["/sys/class/thermal/thermal_zone4/temp", "61234\n"],
      [`${w1Folder}/w1_slave`, w1Text],
      ["/sys/class/power_supply/BAT9/type", "Battery\n"],
      ["/sys/class/power_supply/BAT9/capacity", "63\n"],
      ["/sys/class/power_supply/BAT9/voltage_now", "11894000\n"],
      ["/sys/class/power_supply/BAT9/status", "Not charging\n"],
      ["/sys/class/backlight/panel/brightness", "37\n"],
      ["/sys/bus/iio/devices/iio:device0/in_voltage0_raw", "2048\n"],
      ["/sys/bus/iio/devices/iio:device0/in_voltage_scale", "0.805664062\n"],
    ];
    for (const [path, text] of files) tree.put(path, text);
    const number = (path: string) => Number(tree.cat(path));
    const nound = await start(tree, {
      temp: hwmon,
      volts: { ...hwmon, channel: "in3" },
      fan: { ...hwmon, channel: "fan CPU" },
      watts: { ...hwmon, channel: "power1" },
      soc: { kind: "sensor", device: "soc-thermal" },
      water: { kind: "sensor", device: "28-0316a2796ee1" },
      battery: { kind: "sensor", device: "/sys/class/power_supply" },
      panel: { kind: "sysfs", path: "/sys/class/backlight/panel/brightness", scale: 0.5, offset: 1 },
      adc: { kind: "sensor", device: "iio:device0", channel: "voltage0", offset: 1, raw: true },
      system: { kind: "sensor", device: "system" },
    });
    expect(await ask(nound, get("/temp"))).toEqual({ celsius: number("/sys/class/hwmon/hwmon7/temp1_input") / 1e3 });
    expect(await ask(nound, get("/volts"))).toEqual({ volts: number("/sys/class/hwmon/hwmon7/in3_input") / 1e3 });
    expect(await ask(nound, get("/fan"))).toEqual({ rpm: number("/sys/class/hwmon/hwmon7/fan2_input") });
    expect(await ask(nound, get("/watts"))).toEqual({ watts: number("/sys/class/hwmon/hwmon7/power1_input") / 1e6 });
    expect(await ask(nound, get("/soc"))).toEqual({ celsius: number("/sys/class/thermal/thermal_zone4/temp") / 1e3 });
    expect(await ask(nound, get("/water"))).toEqual({ celsius: -10.125 });
    const supply = "/sys/class/power_supply/BAT9";
    expect(await ask(nound, get("/battery"))).toEqual({
      percent: number(`${supply}/capacity`),
      volts: number(`${supply}/voltage_now`) / 1e6,
      status: tree.cat(`${supply}/status`).trim(),
    });
    expect(await ask(nound, get("/panel"))).toEqual({
      value: number("/sys/class/backlight/panel/brightness") * 0.5 + 1,
    });
    expect(await ask(nound, get("/adc"))).toEqual({ volts: 2.65, raw: 2_048 });
    const now = () => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
    const before = now();
    const { uptime, memoryTotal, temperature } = await ask(nound, get("/system"));
    // Some kernels' functions give whole seconds.
    expect(Number(uptime)).toBeGreaterThan(before - 1);
    expect(Number(uptime)).toBeLessThan(now() + 1);
    const [, total] = /MemTotal: +([0-9]+) kB/.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
    expect(memoryTotal).toBe(Number(total) * 1_024);
    expect(temperature).toBe(61.234);
  });

  test("a sensor that goes fails, and one that comes is found, under whatever number", async () => {
    const tree = new SysfsTree();
    const nound = await start(tree, { temp: hwmon, water: { kind: "sensor", device: "28-0316a2796ee1" } });
    expect((await askWhole(nound, get("/temp"))).status).toBe(500);
    expect((await askWhole(nound, get("/water"))).status).toBe(500);
    // As the kernel has it: the class has links to the devices.
    tree.put("/sys/devices/i2c-3/3-0049/hwmon/hwmon2/name", "lm75\n");
    tree.put("/sys/devices/i2c-3/3-0049/hwmon/hwmon2/temp1_input", "7125\n");
    tree.link("/sys/class/hwmon/hwmon2", "../../devices/i2c-3/3-0049/hwmon/hwmon2");
    tree.put("/sys/devices/w1_bus_master1/28-0316a2796ee1/w1_slave", w1Text);
    tree.link(w1Folder, "../../../devices/w1_bus_master1/28-0316a2796ee1");
    expect(await ask(nound, get("/temp"))).toEqual({ celsius: 7.125 });
    expect(await ask(nound, get("/water"))).toEqual({ celsius: -10.125 });
    tree.remove("/sys/class/hwmon/hwmon2");
    tree.remove("/sys/devices/i2c-3");
    expect((await askWhole(nound, get("/temp"))).status).toBe(500);
    tree.put("/sys/class/hwmon/hwmon2/name", "other\n");
    tree.put("/sys/class/hwmon/hwmon2/temp1_input", "99000\n");
    expect((await askWhole(nound, get("/temp"))).status).toBe(500);
    tree.put("/sys/class/hwmon/hwmon5/name", "lm75\n");
    tree.put("/sys/class/hwmon/hwmon5/temp1_input", "8000\n");
    expect(await ask(nound, get("/temp"))).toEqual({ celsius: 8 });
  });

  test("whatever replaces an attribute, the noun fails, the debug log says why, nothing else breaks", async () => {
    const tree = new SysfsTree();
    const base = "/sys/devices/odd";
    tree.link(`${base}/outside`, "/proc/uptime");
    tree.link(`${base}/itself`, `${base}/itself`);
    tree.put(`${base}/folder/file`, "1\n");
    tree.put(`${base}/empty`, "");
    tree.put(`${base}/text`, "12 V\n");
    tree.put(`${base}/infinite`, "Infinity\n");
    tree.put(`${base}/large`, "1".repeat(4_097));
    tree.put(`${base}/binary`, Uint8Array.of(0x31, 0xff, 0x0a));
    spawnSync("mkfifo", [tree.outside(`${base}/fifo`)]);
    const sentences: Record<string, string> = {
      outside: `cannot read ${base}/outside: a symbolic link leads out of /sys`,
      itself: `cannot read ${base}/itself: its path is too long`,
      folder: `cannot read ${base}/folder: it is not a regular file`,
      empty: `${base}/empty holds no number`,
      text: `${base}/text holds no number`,
      infinite: `${base}/infinite holds no number`,
      large: `cannot read ${base}/large: it is too large`,
      binary: `cannot read ${base}/binary: it is not UTF-8`,
      fifo: `cannot read ${base}/fifo: it is not a regular file`,
    };
    // The noun of the machine's facts has /proc/uptime within reach.
    const others = { led: { kind: "switch", key: "led" }, facts: { kind: "sensor", device: "system" } };
    const nouns = Object.keys(sentences).map((name) => [name, { kind: "sysfs", path: `${base}/${name}` }]);
    const nound = endedByThisTest(
      await launch({ ...Object.fromEntries(nouns), ...others }, ["--debug"], { wrapper: tree.wrapper }),
    );
    for (const name of Object.keys(sentences)) {
      expect((await askWhole(nound, get(`/${name}`))).status, name).toBe(500);
      expect((await askWhole(nound, get(`/${name}`))).status, name).toBe(500);
    }
    expect(await ask(nound, get("/led"))).toEqual({ led: 0 });
    const { status, stderr } = await nound.stop();
    expect(status).toBe(0);
    const lines = stderr.split("\n");
    for (const [name, sentence] of Object.entries(sentences)) {
      expect(
        lines.filter((line) => line === `${name}: ${sentence}`),
        name,
      ).toHaveLength(1);
    }
  });

  test.skipIf(isEmulated)("there are threads only with such a kind", async () => {
    const tree = new SysfsTree();
    const own = hasSanitizers ? 2 : 0; // threads of its own: ThreadSanitizer has a second one after a fork
    const plain = await start(tree, { led: { kind: "switch", key: "led" } });
    // Once it answers, the start is over: it listens before its threads are there.
    await ask(plain, get("/led"));
    expect(threadsOf(plain)).toBeLessThanOrEqual(1 + own);
    const measuring = await start(tree, { temp: hwmon });
    await ask(measuring, get("/temp"));
    expect(threadsOf(measuring) - 2).toBeLessThanOrEqual(1 + own);
    expect(threadsOf(measuring)).toBeGreaterThanOrEqual(3);
    const path = "/sys/class/backlight/panel/brightness";
    tree.put(path, "7\n");
    const setting = await start(tree, { panel: { kind: "sysfs", path, writable: true, default: 0 } });
    await ask(setting, get("/panel"));
    expect(threadsOf(setting) - 3).toBeLessThanOrEqual(1 + own);
    expect(threadsOf(setting)).toBeGreaterThanOrEqual(4);
  });

  const noStrace = spawnSync("strace", ["-V"]).status !== 0;

  const thermometer = {
    noun: { kind: "sensor", device: "28-0316a2796ee1" },
    path: `${w1Folder}/w1_slave`,
    text: w1Text,
    state: { celsius: -10.125 },
  };
  const converter = {
    noun: { kind: "sensor", device: "iio:device0", channel: "voltage0" },
    path: "/sys/bus/iio/devices/iio:device0/in_voltage0_raw",
    text: "7\n",
    state: { volts: 0.007 },
  };

  type Slow = typeof thermometer | typeof converter;

  /**
   * Starts a program with the noun `slow`, and `slow1` for a second one, whose readings do not end before `release`:
   * strace(1) holds the reading thread. A one-wire conversion takes 0.75 s, which may be over before a busy machine has
   * done anything else.
   */
  async function startSlow(slowOnes: readonly Slow[], nouns: Nouns, files: { readonly [path: string]: string } = {}) {
    const tree = new SysfsTree();
    for (const [path, text] of Object.entries(files)) tree.put(path, text);
    for (const { path, text } of slowOnes) tree.put(path, text);
    const paths = slowOnes.flatMap(({ path }) => ["-P", path]);
    const slow = slowOnes.map(({ noun }, index) => [`slow${index === 0 ? "" : index}`, noun] as const);
    const held = ["-e", "trace=read", "-e", `inject=read:delay_enter=${ample}000`, ...paths];
    const strace = ["strace", "-D", "-f", "-qq", "-o", temporaryPath("calls"), ...held];
    const limits = { nounTimeout: ample, shutdownTimeout: ample };
    return endedByThisTest(
      await launch({ ...Object.fromEntries(slow), ...nouns }, [], { wrapper: [...tree.wrapper, ...strace] }, limits),
    );
  }

  const open = (nound: NoundProcess) => RawConnection.open(nound.address);

  /** Waits until readings are held: their threads stay stopped. strace stops each thread at each call for a moment. */
  async function areHeld({ pid }: NoundProcess, count: number): Promise<void> {
    const isStopped = (task: string) =>
      readFileSync(`/proc/${pid}/task/${task}/status`, "utf8").includes("tracing stop");
    let seen = 0;
    await eventually("the conversion has begun", () => {
      const tasks = readdirSync(`/proc/${pid}/task`).filter((task) => task !== `${pid}`);
      seen = tasks.filter(isStopped).length >= count ? seen + 1 : 0;
      return seen === 10;
    });
  }

  const isHeld = (nound: NoundProcess) => areHeld(nound, 1);

  /** Lets all readings go on: without its tracer, the kernel holds no thread. */
  function release({ pid }: NoundProcess): void {
    const tracer = Number(statusWords(pid, "TracerPid")[0]);
    expect(tracer, "strace's id").toBeGreaterThan(0); // 0 would be every process of this group
    process.kill(tracer, "SIGKILL");
  }

  test.skipIf(noStrace || hasSanitizers).each([
    ["thermometer", thermometer],
    ["converter", converter],
  ])("during a conversion of a %s, others are answered (skipped without strace)", async (_, slowOne) => {
    const nound = await startSlow([slowOne], { led: { kind: "switch", key: "led" }, temp: hwmon });
    const sensor = await RawConnection.open(nound.address);
    const other = await RawConnection.open(nound.address);
    sensor.send(get("/slow"));
    await isHeld(nound);
    const took: number[] = [];
    for (let i = 0; i < (judgesTime ? 100 : 10); i++) {
      const asked = performance.now();
      other.send(get(i % 2 === 0 ? "/led" : "/temp"));
      // The other sensor is absent.
      expect((await other.response()).status).toBe(i % 2 === 0 ? 200 : 500);
      took.push(performance.now() - asked);
    }
    expectMedian("the slowest answer during a conversion", [Math.max(...took)], 100);
    expect(sensor.unread).toBe("");
    release(nound);
    expect(JSON.parse((await sensor.response()).body.toString())).toEqual(slowOne.state);
    sensor.drop();
    other.drop();
    expect(await nound.stop()).toMatchObject({ status: 0 });
  });

  test.skipIf(noStrace || hasSanitizers)(
    "outputs are switched while two sensors hang (skipped without strace)",
    async () => {
      const path = "/sys/class/backlight/panel/brightness";
      const panel = { kind: "sysfs", path, key: "level", writable: true, default: 0 };
      const nound = await startSlow([thermometer, converter], { panel }, { [path]: "0\n" });
      const [one, other, client] = [await open(nound), await open(nound), await open(nound)];
      one.send(get("/slow"));
      other.send(get("/slow1"));
      await areHeld(nound, 2);
      for (const level of [7, 0, 9]) {
        client.send(put("/panel", { level }));
        expect(JSON.parse((await client.response()).body.toString())).toEqual({ level });
      }
      expect(one.unread + other.unread).toBe("");
      release(nound);
      expect((await one.response()).status).toBe(200);
      expect((await other.response()).status).toBe(200);
      for (const connection of [one, other, client]) connection.drop();
      expect(await nound.stop()).toMatchObject({ status: 0 });
    },
  );

  test.skipIf(noStrace || hasSanitizers)(
    "the program ends in order during a conversion, whose request it answers (skipped without strace)",
    async () => {
      const nound = await startSlow([thermometer], {});
      const sensor = await RawConnection.open(nound.address);
      sensor.send(get("/slow"));
      await isHeld(nound);
      nound.signal("SIGTERM");
      await eventually("it listens no more", () => !isListening(nound.address));
      expect(sensor.unread).toBe("");
      release(nound);
      expect(JSON.parse((await sensor.response()).body.toString())).toEqual(thermometer.state);
      await sensor.closedInOrder();
      sensor.drop();
      expect(await nound.ending()).toMatchObject({ status: 0, stderr: "" });
    },
  );
});
