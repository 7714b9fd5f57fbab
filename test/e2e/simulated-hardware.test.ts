/**
 * Configurations with a noun of every kind, tried without their hardware: those of examples/relay-board,
 * examples/thermometer and examples/stairs-light.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { freeAddress } from "../harness/address.ts";
import { memoryNotJudged } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { configurationFile, NoundProcess, runNound, temporaryPath } from "../harness/nound-process.ts";
import { peakResidentMemory } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { Service } from "../harness/reloaded-service.ts";
import { del, get, post, put } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";

const example = "examples/relay-board/nound.json";
const sensors = "examples/thermometer/nound.json";
const rules = "examples/stairs-light/nound.json";

/** No example has a Modbus unit, a mirror or a schedule. */
const meters = configurationFile(
  JSON.stringify({
    nouns: {
      bell: { kind: "mirror", url: "http://127.0.0.1:1/bell" },
      night: { kind: "schedule", from: "22:00", to: "06:00" },
      grid: {
        kind: "modbus",
        device: "/dev/ttyS1",
        keys: {
          volts: { at: "input 0", as: "float32", unit: "V" },
          relay: { at: "coil 3", writable: true },
        },
      },
    },
  }),
);

async function simulate(file: string): Promise<NoundProcess> {
  const address = await freeAddress();
  const nound = new NoundProcess(["--simulate", "--config", file, "--listen", address], address);
  await nound.listening();
  return nound;
}

async function ask(nound: NoundProcess, bytes: string): Promise<Response> {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const response = await connection.response();
  connection.drop();
  return response;
}

function stateOf(response: Response): State {
  return JSON.parse(Buffer.from(response.body).toString("utf8")) as State;
}

/** The value under one key of a noun's state. */
async function valueUnder(nound: NoundProcess, name: string, key: string): Promise<unknown> {
  return stateOf(await ask(nound, get(`/${name}`)))[key];
}

function nounsOf(file: string): Record<string, { kind: string }> {
  const { nouns } = JSON.parse(readFileSync(file, "utf8")) as { nouns: Record<string, { kind: string }> };
  return nouns;
}

describe("the thermometer", () => {
  const nound = forAllTests(() => simulate(sensors));

  test.each<[string, State, State]>([
    ["water", { celsius: 20 }, { celsius: -5.5 }],
    ["board", { celsius: 20 }, { celsius: 101.125 }],
    ["cpu", { celsius: 20 }, { celsius: 99.999 }],
    ["battery", { percent: 80, volts: 3.9, status: "Discharging" }, { percent: 3, volts: 3.1, status: null }],
    ["backlight", { percent: 50 }, { percent: 0 }],
  ])("%s is read, moved by its simulated noun, absent and back", async (name, first, moved) => {
    const source = `/simulated.${name}`;
    expectState(await ask(nound(), get(`/${name}`)), first);
    expectState(await ask(nound(), put(source, moved)), moved);
    const absent = Object.fromEntries(Object.keys(first).map((key) => [key, null]));
    // A reading of the one-wire sensor is used for a second.
    await eventually("the sensor shows what it was moved to", async () => {
      return JSON.stringify(stateOf(await ask(nound(), get(`/${name}`)))) === JSON.stringify(moved);
    });
    expectState(await ask(nound(), put(source, absent)), absent);
    await eventually("the sensor is absent", async () => (await ask(nound(), get(`/${name}`))).status === 500);
    expectState(await ask(nound(), del(source)), first);
    expectState(await ask(nound(), get(`/${name}`)), first);
  });

  test("is right as it is", async () => {
    expect((await runNound("--check", "--config", sensors)).stdout).toContain(
      `${sensors}: 7 nouns, listens on 127.0.0.1:8080; serves with no capabilities, `,
    );
  });
});

describe("a button that counts presses", () => {
  const nound = forAllTests(() =>
    simulate(
      configurationFile(
        JSON.stringify({
          nouns: {
            button: { kind: "gpio-input", line: "BUTTON", key: "pressed", presses: "long 50" },
            key: { kind: "input", device: "gpio-keys", channel: "KEY_POWER", presses: "long 50" },
            wps: { kind: "input", from: "hotplug", channel: "wps", presses: "long 50" },
            twice: { kind: "gpio-input", line: "TWICE", key: "pressed", presses: "double 60000" },
          },
        }),
      ),
    ),
  );

  async function move(button: string, level: 0 | 1): Promise<void> {
    expectState(await ask(nound(), put(`/simulated.${button}`, { pressed: level })), { pressed: level });
  }

  test.each([["button"], ["key"], ["wps"]])("counts a held press of /%s as a long one, once", async (name) => {
    expectState(await ask(nound(), get(`/${name}`)), { pressed: 0, short: 0, long: 0, double: 0 });
    await move(name, 1);
    await eventually("the press is a long one", async () => (await valueUnder(nound(), name, "long")) === 1);
    await move(name, 0);
    expectState(await ask(nound(), get(`/${name}`)), { pressed: 0, short: 0, long: 1, double: 0 });
    expectState(await ask(nound(), del(`/${name}`)), { pressed: 0, short: 0, long: 0, double: 0 });
  });
});

test("a Modbus unit is moved by its simulated noun, and set", async () => {
  const nound = forThisTest(await simulate(meters));
  await ask(nound, post("/simulated.grid", { volts: 230.1 }));
  const { volts, relay } = stateOf(await ask(nound, get("/grid")));
  expect({ volts, relay }).toEqual({ volts: 230.1, relay: false });
  expect(stateOf(await ask(nound, post("/grid", { relay: true })))).toMatchObject({ relay: true });
  expect(stateOf(await ask(nound, get("/simulated.grid")))).toMatchObject({ relay: true });
});

describe("the relay board", () => {
  const nound = forAllTests(() => simulate(example));

  test("has with the other three a noun of every kind, and all of its own answer", async () => {
    const kinds = new Set(
      [sensors, example, rules, meters].flatMap((file) => Object.values(nounsOf(file)).map(({ kind }) => kind)),
    );
    const { stderr } = await runNound("--check", "--config", configurationFile('{"nouns":{"a":{"kind":"none"}}}'));
    const [, known = ""] = /expected one of (.*), found/.exec(stderr) ?? [];
    expect([...kinds].sort()).toEqual([...known.matchAll(/"([a-z0-9-]+)"/g)].map(([, kind]) => kind).sort());
    for (const name of Object.keys(nounsOf(example))) {
      expect((await ask(nound(), get(`/${name}`))).status, name).toBe(200);
    }
  });

  test("has a pulse that falls back by itself", async () => {
    expectState(await ask(nound(), post("/door")), { open: 1 });
    await eventually("the pulse ends", async () => (await valueUnder(nound(), "door", "open")) === 0);
  });

  test("has an input whose simulated button is pressed by a noun beside it", async () => {
    expectState(await ask(nound(), get("/button")), { pressed: 0, edges: 0, missed: 0, sinceEdge: null });
    expectState(await ask(nound(), put("/simulated.button", { pressed: 1 })), { pressed: 1 });
    expect(stateOf(await ask(nound(), get("/BUTTON")))).toMatchObject({ pressed: 1, edges: 1, missed: 0 });
    expect(await valueUnder(nound(), "button", "sinceEdge")).toBeGreaterThanOrEqual(0);
    expectState(await ask(nound(), del("/button")), { pressed: 1, edges: 0, missed: 0, sinceEdge: null });
    expectState(await ask(nound(), del("/simulated.button")), { pressed: 0 });
  });

  test("has a LED, PWM channels and a converter", async () => {
    const lit = { brightness: 128, trigger: "none" };
    expectState(await ask(nound(), put("/status", lit)), lit);
    expectState(await ask(nound(), get("/status")), lit);
    expectState(await ask(nound(), post("/fan", { percent: 60 })), { percent: 60, enabled: true });
    expectState(await ask(nound(), del("/fan")), { percent: 30, enabled: true });
    const turned = { microseconds: 2_000, enabled: true };
    expectState(await ask(nound(), post("/servo", { microseconds: 2_000, enabled: true })), turned);
    expectState(await ask(nound(), put("/simulated.battery", { volts: 2.4 })), { volts: 2.4 });
    expectState(await ask(nound(), get("/battery")), { volts: 2.4 });
  });
});

describe("the light in the stairs", () => {
  const nound = forAllTests(() => simulate(rules));

  async function becomes(on: 0 | 1): Promise<void> {
    await eventually(`the light is ${on}`, async () => (await valueUnder(nound(), "light", "on")) === on);
  }

  test("goes on with motion, and is toggled by the button", async () => {
    // What a rule finds when it starts, some turns after the server listens, is not a change.
    for (let turns = 0; turns < 5; turns++) await ask(nound(), get("/light"));
    expectState(await ask(nound(), put("/simulated.motion", { motion: 1 })), { motion: 1 });
    await becomes(1);
    expectState(await ask(nound(), put("/simulated.button", { pressed: 1 })), { pressed: 1 });
    expectState(await ask(nound(), put("/simulated.button", { pressed: 0 })), { pressed: 0 });
    await becomes(0);
    expect(stateOf(await ask(nound(), get("/arrival")))).toMatchObject({ enabled: true, holds: true, runs: 1 });
  });

  test("is right as it is", async () => {
    expect((await runNound("--check", "--config", rules)).stdout).toContain(`${rules}: 8 nouns, `);
  });
});

test("a client that may ask for a lease gets it, within its guard", async () => {
  const line = { kind: "gpio-output", key: "on" };
  const nouns = {
    lamp: { ...line, line: "LAMP", lease: "asked", guard: { pump: { on: 1 } } },
    pump: { ...line, line: "PUMP" },
  };
  const nound = forThisTest(await simulate(configurationFile(JSON.stringify({ nouns }))));
  const lease = { on: 1, remaining: 1 };
  expect(await ask(nound, put("/lamp", lease))).toMatchObject({ status: 409 });
  expectState(await ask(nound, put("/pump", { on: 1 })), { on: 1 });
  expectState(await ask(nound, put("/lamp", lease)), lease);
  await eventually("the lease ends", async () => (await valueUnder(nound, "lamp", "on")) === 0);
});

test("what a simulated noun keeps is not written", async () => {
  const stateDirectory = temporaryPath("state");
  const pump = { kind: "gpio-output", line: "PUMP", key: "pump", boot: "restore" };
  const nound = forThisTest(await simulate(configurationFile(JSON.stringify({ stateDirectory, nouns: { pump } }))));
  expectState(await ask(nound, put("/pump", { pump: 1 })), { pump: 1 });
  expect(() => readFileSync(`${stateDirectory}/output-pump`)).toThrow("ENOENT");
});

test.skipIf(memoryNotJudged !== undefined)("the nouns of the relay board fit in 2.52 MB", async () => {
  const nound = forThisTest(await simulate(example));
  for (const name of ["lamp", "button", "status", "fan", "servo", "battery"]) await ask(nound, get(`/${name}`));
  // Half of it is pages of the program's file, which the kernel maps 64 KB at a time: how many depends on where the
  // linker puts things, and on chance: the same program had 2,264 and 2,392.
  expect(peakResidentMemory(nound.pid), "VmHWM in kB").toBeLessThanOrEqual(2_520);
});

test("without its hardware, a noun fails, and the log says why", async () => {
  const pump = { kind: "gpio-output", chip: "no-such-chip", offset: 0, key: "pump" };
  const service = await Service.start({ pump });
  expect(await service.ask("PUT", "/pump", { pump: 1 })).toMatchObject({ status: 503 });
  expect(service.process.printed).toMatch(/^pump: [^\n]{20,}\n/m);
});

test("--version names the GPIO backends", async () => {
  expect((await runNound("--version")).stdout).toMatch(/GPIO: (gpiod, )?sysfs\)\n$/);
});
