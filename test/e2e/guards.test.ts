/** Guards of outputs of every kind, by the real program: a reload that removes one, and the end of each process. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { ModbusCoils } from "../harness/modbus-coils.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { reloadProcess, Service } from "../harness/reloaded-service.ts";
import { endedByThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;
const hasPython = existsSync("/usr/bin/python3");

/** A folder for /sys with two lines of the older interface for each number, an LED, a PWM channel and an attribute. */
function device(): SysfsTree {
  const sys = new SysfsTree();
  for (const name of ["export", "unexport"]) sys.put(`/sys/class/gpio/${name}`, "");
  for (const [name, text] of Object.entries({ base: "0", ngpio: "32", label: "chip" }))
    sys.put(`/sys/class/gpio/gpiochip0/${name}`, `${text}\n`);
  for (const line of [17, 18, 19]) {
    for (const name of ["direction", "value", "active_low", "edge"])
      sys.put(`/sys/class/gpio/gpio${line}/${name}`, "0\n");
  }
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/pwm/pwmchip0/npwm", "1\n");
  sys.put("/sys/class/pwm/pwmchip0/export", "");
  for (const name of ["period", "duty_cycle", "enable"]) sys.put(`/sys/class/pwm/pwmchip0/pwm0/${name}`, "0\n");
  sys.put("/sys/class/backlight/panel/brightness", "0\n");
  return sys;
}

const line = { kind: "gpio-output", chip: "gpiochip0", key: "on" };
const pump = { ...line, offset: 17 };
const guard = { pump: { on: 1 } };

/** An output of a kind: its options, a state away from its default, and what shows that it is there. */
interface Output {
  readonly options: object;
  readonly state: object;
  /** A file of /sys, and whether its text shows that the output is on. */
  readonly shows: readonly [path: string, isOn: (text: string) => boolean];
}

const outputs: { readonly [kind: string]: Output } = {
  "gpio-output": {
    options: { ...line, offset: 18 },
    state: { on: 1 },
    shows: ["/sys/class/gpio/gpio18/value", (text) => text.startsWith("1")],
  },
  cover: {
    options: {
      kind: "cover",
      open: { chip: "gpiochip0", offset: 18 },
      close: { chip: "gpiochip0", offset: 19 },
      openTime: 600_000,
      closeTime: 600_000,
    },
    state: { moving: "opening" },
    shows: ["/sys/class/gpio/gpio18/value", (text) => text.startsWith("1")],
  },
  led: {
    options: { kind: "led", device: "green", default: { brightness: 7 } },
    state: { brightness: 200 },
    shows: ["/sys/class/leds/green/brightness", (text) => !text.startsWith("7")],
  },
  pwm: {
    options: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 25_000 },
    state: { percent: 50, enabled: true },
    shows: ["/sys/class/pwm/pwmchip0/pwm0/enable", (text) => text.startsWith("1")],
  },
  sysfs: {
    options: {
      kind: "sysfs",
      path: "/sys/class/backlight/panel/brightness",
      key: "level",
      writable: true,
      default: 0,
    },
    state: { level: 9 },
    shows: ["/sys/class/backlight/panel/brightness", (text) => text.startsWith("9")],
  },
};

/** @returns the files of /sys that are written from now on, in the order in which each is written first. */
function writes(sys: SysfsTree, ...paths: readonly string[]): readonly string[] {
  const written: string[] = [];
  for (const path of paths) {
    const watcher = watch(sys.outside(path), () => void (written.includes(path) || written.push(path)));
    onTestFinished(() => watcher.close());
  }
  return written;
}

describe.skipIf(noSysfsTree !== undefined)(`a reload that removes an output under a guard${title}`, () => {
  const pumpFile = "/sys/class/gpio/gpio17/value";

  async function running({
    options,
    state,
    shows,
  }: Output): Promise<{ sys: SysfsTree; service: Service; heater: object }> {
    const sys = device();
    const heater = { ...options, guard };
    const nouns = { pump, heater, spare: { kind: "switch", key: "on" } };
    const stateDirectory = temporaryPath("states");
    mkdirSync(stateDirectory);
    const service = await Service.start(nouns, { wrapper: sys.wrapper, stateDirectory });
    await service.ask("PUT", "/pump", { on: 1 });
    await service.ask("POST", "/heater", state);
    const [path, isOn] = shows;
    await eventually("it is on", () => isOn(sys.cat(path))); // a cover pauses first
    return { sys, service, heater };
  }

  test.each(Object.entries(outputs))("brings it to its default before what its guard names: %s", async (_, output) => {
    const { sys, service } = await running(output);
    const [path, isOn] = output.shows;
    expect(isOn(sys.cat(path))).toBe(true);
    const written = writes(sys, path, pumpFile);
    service.configure({ spare: { kind: "switch", key: "on" } });
    await service.reload();
    expect(isOn(sys.cat(path))).toBe(false);
    expect(sys.cat(pumpFile)).toMatch(/^0/);
    await eventually("both were written", () => written.length === 2);
    expect(written).toEqual([path, pumpFile]);
  });

  test("brings it to its default, too, if what its guard names is removed", async () => {
    const { sys, service, heater } = await running(outputs["sysfs"] as Output);
    const [path, isOn] = (outputs["sysfs"] as Output).shows;
    service.configure({ pump, heater: { ...heater, title: "Heater", poll: 60_000 } });
    await service.reload();
    expect(isOn(sys.cat(path))).toBe(true);
    service.configure({ heater: outputs["sysfs"]?.options });
    await service.reload();
    expect([sys.cat(path), sys.cat(pumpFile)]).toEqual(["0\n", "0\n"]);
  });

  test("changes nothing while it does not go to its default, and says so", async () => {
    const { sys, service } = await running(outputs["sysfs"] as Output);
    const [path] = (outputs["sysfs"] as Output).shows;
    // What a driver's EIO is to a program: nothing can be written.
    sys.remove(path);
    sys.put(`${path}/folder`, "");
    service.configure({ spare: { kind: "switch", key: "on" } });
    expect(await service.command()).toMatchObject({ status: 69 });
    expect(sys.cat(pumpFile)).toMatch(/^1/);
    expect(service.process.printed).toContain(
      "reload: not reloaded: heater must go to its default first, and did not: repair it, or restart nound",
    );
  });
});

const canTrace = !hasSanitizers && spawnSync("strace", ["true"]).status === 0;

describe.skipIf(noSysfsTree !== undefined)(`at SIGTERM, what the guard of a cover names${title}`, () => {
  const pumpFile = "/sys/class/gpio/gpio17/value";
  const slow = { kind: "cover", openTime: 600_000, closeTime: 600_000, pause: 100, boot: "default" };

  /** Starts with the pump on and the cover opening. */
  async function running(cover: object, isMoving: (sys: SysfsTree) => boolean, others: object = {}) {
    const sys = device();
    const nouns = { pump, ...others, blind: { ...slow, ...cover, guard } };
    const service = await Service.start(nouns, { wrapper: sys.wrapper, limits: { shutdownTimeout: 2_000 } });
    await service.ask("PUT", "/pump", { on: 1 });
    await eventually("it opens", async () => {
      await service.ask("PUT", "/blind", { moving: "opening" });
      return isMoving(sys);
    });
    return { sys, service };
  }

  const levels = (sys: SysfsTree) => [17, 18].map((line) => sys.cat(`/sys/class/gpio/gpio${line}/value`).slice(0, 1));
  const line = (offset: number) => ({ chip: "gpiochip0", offset });
  const lines = { open: line(18), close: line(19) };

  test("goes off after the cover has stopped", async () => {
    const { sys, service } = await running(lines, (sys) => levels(sys)[1] === "1");
    const written = writes(sys, "/sys/class/gpio/gpio18/value", pumpFile);
    await service.process.stop();
    expect(levels(sys)).toEqual(["0", "0"]);
    await eventually("both were written", () => written.length === 2);
    expect(written[1]).toBe(pumpFile);
  });

  test.skipIf(!canTrace)("stays on while the line of the cover refuses (skipped without strace)", async () => {
    const { sys, service } = await running(lines, (sys) => levels(sys)[1] === "1");
    const file = "/sys/class/gpio/gpio18/value";
    const words = ["-f", "-p", String(service.process.pid), "-P", file, "-e", "inject=pwrite64:error=EIO"];
    const strace = spawn("strace", [...words, "-o", temporaryPath("trace")], { stdio: ["ignore", "ignore", "pipe"] });
    let told = "";
    strace.stderr.on("data", (bytes) => (told += String(bytes)));
    onTestFinished(() => void strace.kill("SIGKILL"));
    await eventually("the line refuses", () => told.includes("attached"));
    await service.process.stop();
    expect(levels(sys)).toEqual(["1", "1"]);
    expect(service.process.printed).toContain("pump: stays as it is, because blind is not at its default");
  });

  test("stays on while the coil of the cover refuses", async () => {
    const unit = await ModbusCoils.tcp();
    const coil = (at: number) => ({
      kind: "modbus",
      ...unit.place,
      keys: { on: { at: `coil ${at}`, writable: true, default: false } },
    });
    const nouns = { open: { noun: "up" }, close: { noun: "down" } };
    const { sys, service } = await running(nouns, () => unit.coils[0] === 1, { up: coil(0), down: coil(1) });
    unit.refused.add(0);
    await service.process.stop();
    expect(levels(sys)[0]).toBe("1");
    expect(unit.coils[0]).toBe(1);
    expect(service.process.printed).toContain("pump: stays as it is, because blind is not at its default");
  });
});

describe("a reload that removes a Modbus output under a guard", () => {
  const coil = (place: object, at: number) => ({
    kind: "modbus",
    ...place,
    poll: 60_000,
    keys: { on: { at: `coil ${at}`, writable: true, default: false } },
  });

  const lines = ["tcp", "rtu"] as const;

  async function running(unit: ModbusCoils): Promise<Service> {
    const { place } = unit;
    const heater = { ...coil(place, 1), guard: { pump: { on: true } } };
    const service = await Service.start({ pump: coil(place, 0), heater });
    for (const name of ["pump", "heater"]) {
      expect(await service.ask("PUT", `/${name}`, { on: true })).toMatchObject({ on: true });
    }
    return service;
  }

  test.skipIf(!hasPython).each(lines)("brings it to its default: %s", async (line) => {
    const unit = await ModbusCoils[line]();
    const service = await running(unit);
    service.configure({ pump: coil(unit.place, 0) });
    await service.reload();
    expect(unit.coils).toEqual([1, 0, 0, 0]);
  });

  test.skipIf(!hasPython).each(["tcp", "rtu"] as const)(
    "does not go on while the unit refuses it: %s",
    async (line) => {
      const unit = await ModbusCoils[line]();
      const service = await running(unit);
      unit.refused.add(1);
      service.configure({ pump: coil(unit.place, 0) });
      expect(await service.command()).toMatchObject({ status: 69 });
      unit.refused.clear();
      expect(await service.ask("DELETE", "/pump")).toMatchObject({ on: false });
      await eventually("the heater is off, for the guard that goes on", () => unit.coils[1] === 0);
      expect(await service.command()).toMatchObject({ status: 0 });
    },
  );
});

test("a reload that removes an author's noun under a guard brings it to its default", async () => {
  const bundle = await bundleApplication("test/e2e/guarded-application.ts");
  const address = await freeAddress();
  const nound = endedByThisTest(new NoundProcess(["--listen", address], address, { application: bundle }));
  await nound.listening();
  for (const name of ["pump", "heater"]) {
    const answer = await fetch(`http://${address}/${name}`, {
      method: "PUT",
      headers: { "content-type": "application/json", connection: "close" },
      body: '{"on":1}',
    });
    expect(answer.status).toBe(200);
  }
  writeFileSync(bundle, readFileSync(bundle, "utf8").replace("pump and heater", "pump alone"));
  expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
  expect(nound.printed).toMatch(/the heater is on\n(?:.*\n)*the heater is off/);
});
