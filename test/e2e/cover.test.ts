/** A cover in the binary, on simulated lines. */
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { eventually } from "../harness/eventually.ts";
import { ModbusCoils } from "../harness/modbus-coils.ts";
import { configurationFile, NoundProcess, runNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { Service } from "../harness/reloaded-service.ts";
import { put } from "../harness/request.ts";
import { endedByThisTest } from "../harness/served.ts";

const slow = 600_000;
const nouns = {
  blind: {
    kind: "cover",
    open: { line: "GPIO17" },
    close: { line: "GPIO18" },
    boot: "default",
    openTime: slow,
    closeTime: slow,
    stopAt: { open: { top: { pressed: 1 } }, close: { bottom: { pressed: 1 } } },
  },
  top: { kind: "gpio-input", line: "GPIO22", key: "pressed", edges: "both" },
  bottom: { kind: "gpio-input", line: "GPIO23", key: "pressed", edges: "both" },
};

test("an end switch stops a cover at its end, and the position is known", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  const blind = () => service.ask("GET", "/blind");
  await service.ask("PUT", "/blind", { moving: "opening" });
  await eventually("it moves", async () => ((await blind()) as { moving: string }).moving === "opening");
  await service.ask("PUT", "/simulated.top", { pressed: 1 });
  expect(await blind()).toEqual({ position: 100, moving: "stopped", failure: null });
  // It may leave that end, and not run on at the other one.
  expect(await service.ask("PUT", "/blind", { position: 0 })).toEqual({
    position: 100,
    moving: "closing",
    failure: null,
  });
  await eventually("it moves", async () => ((await blind()) as { position: number }).position < 100);
  await service.ask("PUT", "/simulated.top", { pressed: 0 });
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await blind()).toEqual({ position: 0, moving: "stopped", failure: null });
});

test("a reload keeps the position of a cover, and ends its move", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"] });
  const state = { position: 100, moving: "stopped", failure: null };
  await service.ask("PUT", "/simulated.top", { pressed: 1 });
  expect(await service.ask("GET", "/blind")).toEqual(state);
  service.configure({ ...nouns, blind: { ...nouns.blind, title: "Blind" } });
  await service.reload();
  expect(await service.ask("GET", "/blind")).toEqual(state);
});

test("a cover whose end switch does not report in time says so in its state and in the log", async () => {
  const blind = { ...nouns.blind, openTime: 100, closeTime: 100, pause: 100 };
  const service = await Service.start({ ...nouns, blind }, { args: ["--simulate"] });
  await service.ask("PUT", "/blind", { position: 0 });
  const failure = "It did not reach its end switch in time.";
  await eventually("it gives up", async () => {
    const state = (await service.ask("GET", "/blind")) as { failure: string | null };
    return state.failure === failure;
  });
  expect(await service.ask("GET", "/blind")).toEqual({ position: null, moving: "stopped", failure });
  expect(service.process.printed).toContain(`blind: ${failure}`);
});

test("while its guard does not hold, a cover takes back the state that it gives, and moves nowhere", async () => {
  const { stopAt: _, ...blind } = nouns.blind;
  const hold = { kind: "switch", key: "on" };
  const service = await Service.start(
    { hold, blind: { ...blind, pause: 100, guard: { hold: { on: 0 } } } },
    {
      args: ["--simulate"],
    },
  );
  type Moving = { readonly position: number | null; readonly moving: string };
  const state = async () => (await service.ask("GET", "/blind")) as Moving;
  await service.ask("PUT", "/blind", { moving: "opening" });
  await eventually("it moves", async () => (await state()).moving === "opening");
  await service.ask("PUT", "/hold", { on: 1 });
  const stopped = await state();
  expect(stopped).toMatchObject({ moving: "stopped" });
  expect(await service.ask("PUT", "/blind", stopped)).toEqual(stopped);
  for (const other of [{ position: 40 }, { moving: "closing" }]) {
    expect(await service.ask("PUT", "/blind", other)).toMatchObject({ status: 409 });
  }
  expect(await state()).toEqual(stopped);
});

const relays = {
  relay3: { kind: "switch", key: "on" },
  relay4: { kind: "switch", key: "on" },
  gate: {
    kind: "cover",
    open: { noun: "relay3" },
    close: { noun: "relay4" },
    openTime: slow,
    closeTime: slow,
    pause: 100,
    boot: "default",
  },
};

test("the outputs of a cover may be other nouns, which nobody else makes active", async () => {
  const service = await Service.start(relays, { args: ["--simulate"] });
  const all = async () => (await service.ask("GET", "/")) as { [noun: string]: { [key: string]: unknown } };
  await service.ask("PUT", "/gate", { moving: "opening" });
  await eventually("it opens", async () => (await all())["relay3"]?.["on"] === 1);
  const refused = { status: 409, detail: "relay4 moves gate: change that." };
  expect(await service.ask("PUT", "/relay4", { on: 1 })).toMatchObject(refused);
  expect(await service.ask("POST", "/relay4", {})).toMatchObject(refused);
  await service.ask("PUT", "/gate", { moving: "closing" });
  await eventually("it closes", async () => (await all())["relay4"]?.["on"] === 1);
  expect(await all()).toMatchObject({ relay3: { on: 0 }, relay4: { on: 1 }, gate: { moving: "closing" } });
  // Somebody may switch it off. Then nobody knows where it is.
  await service.ask("PUT", "/relay4", { on: 0 });
  await eventually("it has noticed", async () => (await all())["gate"]?.["moving"] === "stopped");
  expect((await all())["gate"]).toMatchObject({ position: null, failure: expect.stringContaining("output") });
});

test("the outputs of a cover may be an author's own nouns, which take time", async () => {
  const bundle = await bundleApplication("test/e2e/cover-application.ts");
  const address = await freeAddress();
  const nound = endedByThisTest(new NoundProcess(["--listen", address], address, { application: bundle }));
  await nound.listening();
  const put = async (path: string, state: object) => {
    const body = JSON.stringify(state);
    const headers = { "content-type": "application/json", connection: "close" };
    return await fetch(`http://${address}${path}`, { method: "PUT", headers, body });
  };
  const has = (sentence: string) => () => nound.printed.includes(sentence);
  await put("/gate", { moving: "opening" });
  await eventually("it opens", has("the relay up is on, 1 active"));
  expect((await put("/down", { on: 1 })).status).toBe(409);
  await put("/gate", { moving: "closing" });
  await eventually("it closes", has("the relay down is on, 1 active"));
  await nound.stop();
  expect(nound.printed.match(/the relay .*/g)).toEqual([
    "the relay up is on, 1 active",
    "the relay up is off, 0 active",
    "the relay down is on, 1 active",
    "the relay down is off, 0 active",
  ]);
});

test("a check names an output that is no noun with two values", async () => {
  const level = { kind: "value", shape: { percent: { type: "integer" } }, default: { percent: 0 } };
  const gate = { ...relays.gate, open: { noun: "rellay3" }, close: { noun: "level" } };
  const file = configurationFile(JSON.stringify({ listen: await freeAddress(), nouns: { ...relays, level, gate } }));
  const { status, stderr } = await runNound("--check", "--simulate", "--config", file);
  expect(status).toBe(78);
  expect(stderr).toContain(
    '$.nouns.gate.open.noun: expected the name of a noun, found "rellay3"; did you mean "relay3"?',
  );
  expect(stderr).toContain("$.nouns.gate.close.noun: expected a noun with one key of two values");
});

test("a garage door with one button is closed when its contact says so, and open after its time", async () => {
  const { boot, stopAt, bottom } = { ...nouns.blind, bottom: nouns.bottom };
  const door = {
    kind: "cover",
    button: { line: "GPIO17" },
    openTime: 300,
    closeTime: slow,
    pause: 100,
    pulse: 50,
    boot,
  };
  const service = await Service.start(
    { bottom, door: { ...door, stopAt: { close: stopAt.close } } },
    { args: ["--simulate"] },
  );
  const state = async () => (await service.ask("GET", "/door")) as { position: number | null; moving: string };
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await state()).toMatchObject({ position: 0, moving: "stopped" });
  // It has left the contact before it is open, however late this process is.
  const client = await RawConnection.open(service.address);
  client.send(put("/door", { moving: "opening" }) + put("/simulated.bottom", { pressed: 0 }));
  for (const _ of ["the door", "the contact"]) expect((await client.response("PUT")).status).toBe(200);
  await eventually("it is open", async () => (await state()).position === 100 && (await state()).moving === "stopped");
  await service.ask("PUT", "/door", { position: 0 });
  await eventually("it closes", async () => (await state()).moving === "closing");
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  expect(await state()).toMatchObject({ position: 0, moving: "stopped" });
});

test("in a storm, an awning goes in, and nobody lets it out", async () => {
  const wind = { kind: "switch", key: "storm" };
  const awning = {
    ...{
      kind: "cover",
      open: { line: "GPIO17" },
      close: { line: "GPIO18" },
      openTime: 300,
      closeTime: 30_000,
      pause: 100,
      stopAt: { close: { bottom: { pressed: 1 } } },
    },
    ...{ boot: "default", default: { position: 0 }, guard: { wind: { storm: 0 } } },
  };
  const service = await Service.start({ wind, awning, bottom: nouns.bottom }, { args: ["--simulate"] });
  const state = async () => (await service.ask("GET", "/awning")) as { position: number | null; moving: string };
  await service.ask("PUT", "/awning", { position: 100 });
  await eventually("it is out", async () => (await state()).position === 100 && (await state()).moving === "stopped");
  await service.ask("PUT", "/wind", { storm: 1 });
  expect(await state()).toMatchObject({ moving: "closing" });
  for (const out of [{}, { position: 100 }, { moving: "opening" }, { moving: "stopped" }]) {
    expect(await service.ask("POST", "/awning", out)).toMatchObject({ status: 409 });
  }
  expect(await service.ask("PUT", "/awning", { position: 0 })).toMatchObject({ moving: "closing" });
  await eventually("it moves", async () => Number((await state()).position) < 100);
  await service.ask("PUT", "/simulated.bottom", { pressed: 1 });
  await eventually("it is in", async () => (await state()).position === 0 && (await state()).moving === "stopped");
  expect(await service.ask("POST", "/awning", {})).toMatchObject({ status: 409 });
  await service.ask("PUT", "/wind", { storm: 0 });
  expect(await service.ask("POST", "/awning", {})).toMatchObject({ moving: "opening" });
});

test("a cover on two coils of a Modbus unit never has both on, and leaves none on at the end", async () => {
  const unit = await ModbusCoils.tcp();
  const both: number[] = [];
  unit.onWrite = () => void both.push((unit.coils[0] ?? 0) + (unit.coils[1] ?? 0));
  const coil = (at: number) => ({
    kind: "modbus",
    ...unit.place,
    timeout: 4_000,
    keys: { on: { at: `coil ${at}`, writable: true } },
  });
  const service = await Service.start({ ...relays, relay3: coil(0), relay4: coil(1) });
  await eventually("the coils are read", async () => {
    const relay = (await service.ask("GET", "/relay4")) as { on: boolean | null };
    return relay.on === false;
  });
  // Until the cover knows both coils, too, it refuses to move.
  const opens = async () => {
    await service.ask("PUT", "/gate", { moving: "opening" });
    return unit.coils[0] === 1;
  };
  await eventually("it opens", opens);
  await service.ask("PUT", "/gate", { moving: "closing" });
  await eventually("it closes", () => unit.coils[1] === 1);
  expect(unit.coils.slice(0, 2)).toEqual([0, 1]);
  await service.ask("PUT", "/gate", { moving: "stopped" });
  await eventually("it stands", () => unit.coils[1] === 0);
  // At the end, the unit has set a coil and not answered yet.
  unit.isLate = true;
  await eventually("it opens", opens);
  const stopped = service.process.stop();
  await eventually(
    "it ends",
    async () =>
      await service.ask("GET", "/gate").then(
        () => false,
        () => true,
      ),
  );
  unit.catchUp();
  await stopped;
  expect(unit.coils.slice(0, 2)).toEqual([0, 0]);
  expect(Math.max(...both)).toBe(1);
});
