import { describe, expect, it } from "vitest";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { sysfsNoun } from "../../../ts/hardware/nouns/sysfs-attribute.ts";
import { guardsKey } from "../../../ts/parts/guards/part.ts";
import { modbusNoun } from "../../../ts/parts/modbus/modbus-noun.ts";
import { GuardedDevice, settle } from "./device.ts";

const refused = '409 heater is guarded: pump must be {"on":1}; it is {"on":0}.';

function heaterAndPump(): Promise<GuardedDevice> {
  return new GuardedDevice({ pump: undefined, heater: { pump: { on: 1 } } }).start();
}

describe("a guarded noun that waits until its conditions have held for a time", () => {
  const unsettled = (s: number) => `409 heater is guarded: its conditions must hold for another ${s} s.`;

  async function settling(): Promise<GuardedDevice> {
    const device = new GuardedDevice({ pump: undefined, heater: { pump: { on: 1 } } });
    Object.assign(device.of("heater"), { settle: 1_500 });
    return device.start();
  }

  it("is refused with the time that is left, and its default never is", async () => {
    const device = await settling();
    device.now("pump", "PUT", { on: 1 });
    expect(device.now("heater", "PUT", { on: 1 })).toBe(unsettled(2));
    await device.pass(1_000);
    expect(device.now("heater", "PUT", { on: 1 })).toBe(unsettled(1));
    expect(device.now("heater", "PUT", { on: 0 })).toBe('{"on":0}');
    await device.pass(500);
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
    expect(device.now("heater", "PUT", { on: 2 })).toBe('{"on":2}');
  });

  it("waits again after each moment without them, however short, and while they cannot be read", async () => {
    const device = await settling();
    device.now("pump", "PUT", { on: 1 });
    await device.pass(1_400);
    device.now("pump", "PUT", { on: 0 });
    device.now("pump", "PUT", { on: 1 });
    await device.pass(200);
    expect(device.now("heater", "PUT", { on: 1 })).toBe(unsettled(2));
    device.of("pump").isUnreadable = true;
    device.of("pump").tell();
    await device.pass(1_500);
    device.of("pump").isUnreadable = false;
    device.of("pump").tell();
    await device.pass(10);
    expect(device.now("heater", "PUT", { on: 1 })).toBe(unsettled(2));
  });

  it("counts from the start of the program, and on over a reload", async () => {
    const before = await settling();
    before.now("pump", "PUT", { on: 1 });
    await before.pass(1_400);
    const left = before.server.parts.find(guardsKey)?.leave() ?? "";
    const reloaded = async (text: string) => {
      const device = new GuardedDevice({ pump: undefined, heater: { pump: { on: 1 } } }, before.clock);
      Object.assign(device.of("heater"), { settle: 1_500 });
      device.of("pump").on = 1;
      if (text !== "") device.server.parts.find(guardsKey)?.resume(text);
      return device.start();
    };
    expect((await reloaded(left)).now("heater", "PUT", { on: 1 })).toBe(unsettled(1));
    expect((await reloaded("")).now("heater", "PUT", { on: 1 })).toBe(unsettled(2));
    await before.pass(100);
    expect((await reloaded(left)).now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
  });
});

describe("a guarded noun", () => {
  it("is refused another state than its default while its guard does not hold", async () => {
    const device = await heaterAndPump();
    expect(device.now("heater", "PUT", { on: 1 })).toBe(refused);
    expect(device.now("heater", "POST", {})).toBe(refused);
    expect(device.now("heater", "PUT", { on: 0 })).toBe('{"on":0}');
    expect(device.now("heater", "DELETE")).toBe('{"on":0}');
    expect(device.now("heater", "GET")).toBe('{"on":0}');
    device.now("pump", "PUT", { on: 1 });
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
  });

  it("goes to its default before the noun changes that its guard names", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.log.splice(0);
    expect(device.now("pump", "DELETE")).toBe('{"on":0}');
    expect(device.log).toMatchObject([
      { name: "heater", on: 0 },
      { name: "pump", on: 0 },
    ]);
  });

  it("stays as it is while a change leaves its conditions as they are", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.log.splice(0);
    device.now("pump", "PUT", { on: 1 });
    expect(device.log).toEqual([]);
    expect(device.now("heater", "GET")).toBe('{"on":1}');
  });

  it("keeps the noun as it is that its guard names if it does not go to its default", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.of("heater").manner = "fails";
    const sentence = "409 pump stays as it is: heater must go to its default first, and did not: The noun failed.";
    expect(device.now("pump", "PUT", { on: 0 })).toBe(sentence);
    expect(device.now("pump", "GET")).toBe('{"on":1}');
  });

  it("is waited for by the noun that its guard names if it takes time", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.of("heater").manner = "slowly";
    const asked = device.ask("pump", "PUT", { on: 0 });
    const meanwhile = device.ask("heater", "PUT", { on: 2 });
    await device.pass();
    expect(device.now("pump", "GET")).toBeUndefined();
    expect(device.of("pump").on).toBe(1);
    device.of("heater").end();
    await device.pass();
    expect(asked.answer).toBe('{"on":0}');
    expect(meanwhile.answer).toMatch(/^409 heater is guarded/);
    expect(device.of("heater").on).toBe(0);
  });

  it("follows in the same turn a noun that changes by itself", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    await device.pass();
    device.of("pump").become(0);
    await settle(); // no timer has run
    expect(device.of("heater").on).toBe(0);
  });

  it("follows a noun that changes by itself while a change of that noun waits for others", async () => {
    const device = await new GuardedDevice({
      pump: undefined,
      heater: { pump: { on: { below: 2 } } },
      valve: { pump: { on: 0 } },
    }).start();
    device.now("heater", "PUT", { on: 1 });
    device.now("valve", "PUT", { on: 1 });
    device.of("valve").manner = "slowly";
    const asked = device.ask("pump", "PUT", { on: 1 }); // the heater may stay, the valve may not
    await device.pass();
    expect(device.of("heater").on).toBe(1);
    device.of("pump").become(3);
    await settle(); // no timer has run
    expect(device.of("heater").on).toBe(0);
    expect(device.now("heater", "PUT", { on: 1 })).toMatch(/^409 heater is guarded/);
    device.of("valve").end();
    await device.pass();
    expect(asked.answer).toBe('{"on":1}');
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
  });

  it("is refused another state while a noun of its guard that has changed by itself is being read", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    await device.pass();
    device.of("pump").isSlowToRead = true;
    device.of("pump").become(0);
    await settle();
    expect(device.now("heater", "PUT", { on: 1 })).toBe(
      '409 heater is guarded: pump must be {"on":1}; it has changed and is being read.',
    );
    expect(device.now("heater", "PUT", { on: 0 })).toBe('{"on":0}');
    device.of("pump").endReadings();
    await settle();
    expect(device.now("heater", "PUT", { on: 1 })).toBe(refused);
    device.of("pump").become(1);
    await settle();
    device.of("pump").endReadings();
    await settle();
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
  });

  it("may follow at once a noun of its guard whose change takes time and tells of itself", async () => {
    const device = await heaterAndPump();
    const pump = device.of("pump");
    pump.manner = "slowly";
    let heater: string | undefined;
    device.server.nouns.find("pump")?.ask("PUT", { on: 1 }, () => {
      heater = device.now("heater", "PUT", { on: 1 });
    });
    await settle();
    pump.end();
    await settle();
    expect(heater).toBe('{"on":1}');
  });

  it("goes to its default when a noun of its guard cannot be read, or is gone", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.of("pump").isUnreadable = true;
    device.of("pump").tell();
    await settle();
    expect(device.of("heater").on).toBe(0);
    expect(device.now("heater", "PUT", { on: 1 })).toBe(
      '409 heater is guarded: pump must be {"on":1}; it cannot be read.',
    );
    device.of("pump").isUnreadable = false;
    device.of("pump").tell();
    await settle();
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
    device.server.unregister("pump");
    expect(device.of("heater").on).toBe(0);
  });

  it("is tried again each second if it does not go to its default", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.of("heater").manner = "fails";
    device.of("pump").become(0);
    await device.pass();
    expect(device.reports).toEqual(["heater: did not go to its default when its guard ended: The noun failed."]);
    device.of("heater").manner = "at once";
    await device.pass(1_000);
    expect(device.of("heater").on).toBe(0);
  });

  it("is at its default from the start of the guards on", async () => {
    const device = new GuardedDevice({ heater: { pump: { on: 1 } }, pump: undefined });
    device.of("heater").on = 1;
    await device.start();
    expect(device.of("heater").on).toBe(0);
  });

  it("is refused to an author's code, too", async () => {
    const device = await heaterAndPump();
    expect(() => device.of("heater").setState({ on: 1 })).toThrow("heater is guarded");
    expect(device.of("heater").on).toBe(0);
  });

  it("ends by a lease in the order of the guards", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.log.splice(0);
    device.of("pump").deleteState(); // what a lease calls
    expect(device.log.map(({ name }) => name)).toEqual(["heater", "pump"]);
  });

  it("takes those with it whose guards name it", async () => {
    const device = await new GuardedDevice({
      a: undefined,
      b: { a: { on: 1 } },
      c: { b: { on: 1 } },
      d: { c: { on: { above: 0 } } },
    }).start();
    for (const name of ["a", "b", "c", "d"]) expect(device.now(name, "PUT", { on: 1 })).toBe('{"on":1}');
    device.log.splice(0);
    device.now("a", "POST", {});
    expect(device.log.map(({ name }) => name)).toEqual(["d", "c", "b", "a"]);
  });

  it("has nothing read that no guard names, and what tells of its changes only after one", async () => {
    const device = await new GuardedDevice({ pump: undefined, lamp: undefined, heater: { pump: { on: 1 } } }).start();
    const begun = device.of("pump").readings;
    await device.pass(3_600_000);
    expect([device.of("lamp").readings, device.of("heater").readings]).toEqual([0, 0]);
    expect(device.of("pump").readings).toBe(begun);
    device.of("pump").become(1);
    await device.pass(3_600_000);
    expect(device.of("pump").readings).toBe(begun + 1);
    expect(device.of("lamp").readings).toBe(0);
  });

  it("reads a threshold with the value that ends it", async () => {
    const device = await new GuardedDevice({
      tank: undefined,
      valve: { tank: { on: { above: 5, until: 2 } } },
    }).start();
    device.now("tank", "PUT", { on: 4 });
    expect(device.now("valve", "PUT", { on: 1 })).toMatch(/^409 valve is guarded: tank must be {"on":{"above":5/);
    device.now("tank", "PUT", { on: 6 });
    device.now("valve", "PUT", { on: 1 });
    device.now("tank", "PUT", { on: 3 });
    expect(device.of("valve").on).toBe(1);
    device.now("tank", "PUT", { on: 2 });
    expect(device.of("valve").on).toBe(0);
  });

  it("may have both values of a threshold in either order", async () => {
    const device = await new GuardedDevice({
      tank: undefined,
      valve: { tank: { on: { below: 6, until: 3 } } },
    }).start();
    device.now("valve", "PUT", { on: 1 });
    device.now("tank", "PUT", { on: 5 });
    expect(device.of("valve").on).toBe(1);
    device.now("tank", "PUT", { on: 6 });
    expect(device.of("valve").on).toBe(0);
    device.now("tank", "PUT", { on: 4 });
    expect(device.now("valve", "PUT", { on: 1 })).toMatch(/^409/);
    device.now("tank", "PUT", { on: 2 });
    expect(device.now("valve", "PUT", { on: 1 })).toBe('{"on":1}');
  });
});

describe("a guarded noun that is removed or replaced", () => {
  async function withWaiting() {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    const heater = device.of("heater");
    heater.manner = "slowly";
    const asked = [{ on: 1 }, { on: 2 }, { on: 0 }].map((state) => device.ask("heater", "PUT", state));
    await settle();
    return { device, heater, asked };
  }

  it.each(["removed", "replaced"])("refuses what has waited for it while its guard does not hold: %s", async (what) => {
    const { device, heater, asked } = await withWaiting();
    device.server.unregister("heater");
    if (what === "replaced") device.register("heater");
    device.now("pump", "PUT", { on: 0 });
    heater.end();
    await settle();
    heater.end();
    await settle();
    expect(asked.map(({ answer }) => answer)).toEqual(
      [
        '{"on":1}', // it had begun
        'heater is guarded: pump must be {"on":1}; it is {"on":0}.',
        '{"on":0}',
      ].map((answer) => expect.stringContaining(answer)),
    );
    expect(heater.on).toBe(0);
  });

  it("performs what has waited for it while its guard holds", async () => {
    const { device, heater, asked } = await withWaiting();
    device.server.unregister("heater");
    heater.end();
    await settle();
    heater.end();
    await settle();
    expect(asked[1]?.answer).toBe('{"on":2}');
  });
});

describe("a follower of the guarded noun alone", () => {
  it("is told once the noun is read that the guard names", async () => {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.follow("heater");
    await device.pass();
    device.told.splice(0);
    const pump = device.of("pump");
    pump.isSlowToRead = true;
    pump.tell();
    await device.pass();
    device.of("heater").become(1);
    await device.pass();
    expect(device.told).toEqual([]);
    pump.endReadings();
    await device.pass();
    expect(device.told).toEqual([{ name: "heater", on: 1 }]);
  });
});

describe("a follower of nouns that guards join while one is read slowly", () => {
  it("is told of none before the noun that its guard names", async () => {
    const device = new GuardedDevice({ pump: undefined, heater: { pump: { on: 1 } }, fan: { heater: { on: 0 } } });
    device.of("fan").isSlowToRead = true;
    device.server.parts.find(guardsKey)?.start();
    device.follow("pump", "heater", "fan");
    await device.pass();
    device.unregister("heater");
    device.of("pump").tell(); // which stands alone now
    await device.pass();
    device.register("heater", { pump: { on: 1 } });
    await device.pass();
    for (const name of ["pump", "heater"]) {
      device.now(name, "PUT", { on: 1 });
      await device.pass();
    }
    device.told.splice(0);
    device.of("fan").isSlowToRead = false;
    device.of("fan").endReadings();
    await device.pass(100);
    const names = device.told.map(({ name }) => name);
    expect(names.filter((name) => name !== "fan")).toEqual(["pump", "heater"]);
  });
});

describe("a stream that is stalled", () => {
  /** A stream that has an event of another noun to send, and shows both nouns off. */
  async function stalled() {
    const device = await new GuardedDevice({
      other: undefined,
      pump: undefined,
      heater: { pump: { on: { above: 0 } } },
    }).start();
    const { socket } = device.watch();
    await device.pass();
    const put = async (name: string, on: number, ms = 30) => {
      device.now(name, "PUT", { on });
      await device.pass(ms);
    };
    return { device, socket, put };
  }

  /** @returns each state that the events make. */
  function shown(events: readonly { readonly data: unknown }[]) {
    let all = {};
    return events.map(({ data }) => {
      all = { ...all, ...(data as object) };
      return all as { readonly pump: { on: number }; readonly heater: { on: number } };
    });
  }

  const isWrong = ({ pump, heater }: { pump: { on: number }; heater: { on: number } }) =>
    heater.on > 0 && pump.on === 0;

  it("shows the noun that a guard names before the guarded one", async () => {
    const { socket, put } = await stalled();
    socket.takes = false;
    await put("other", 1);
    await put("pump", 1);
    await put("heater", 1);
    await put("pump", 2);
    for (let index = 0; index < 4; index++) socket.resume(false);
    const states = shown(socket.events);
    expect(states.at(-1)).toMatchObject({ pump: { on: 2 }, heater: { on: 1 } });
    expect(states.filter(isWrong)).toEqual([]);
  });

  it("shows a change that others are told later together with what its guards send to their defaults", async () => {
    const { device, socket, put } = await stalled();
    await put("pump", 1);
    await put("heater", 1);
    for (let on = 2; on < 9; on++) await put("pump", on, 1);
    socket.takes = false;
    await put("other", 1);
    for (let on = 2; on < 9; on++) await put("pump", on, 1);
    await put("pump", 0, 0);
    for (let index = 0; index < 4; index++) socket.resume(false);
    expect(device.of("heater").on).toBe(0);
    expect(shown(socket.events).filter(isWrong)).toEqual([]);
  });
});

describe("a noun that a guard names, and that is replaced", () => {
  /** A change of the pump waits until the heater is at its default. */
  async function waiting(): Promise<{ device: GuardedDevice; asked: { answer?: string } }> {
    const device = await heaterAndPump();
    device.now("pump", "PUT", { on: 1 });
    device.now("heater", "PUT", { on: 1 });
    device.of("heater").manner = "slowly";
    const asked = device.ask("pump", "PUT", { on: 2 });
    await device.pass();
    device.log.splice(0);
    return { device, asked };
  }

  it("is not changed by what has waited, and nothing is known of it by that", async () => {
    const { device, asked } = await waiting();
    const next = device.ask("pump", "PUT", { on: 3 });
    device.unregister("pump");
    device.register("pump", undefined, 1);
    await device.pass();
    device.of("heater").end();
    device.of("heater").manner = "at once";
    await device.pass();
    const sentence = "409 pump stays as it is: it was removed or replaced while this change waited.";
    expect([asked.answer, next.answer]).toEqual([sentence, sentence]);
    expect(device.log).toEqual([{ name: "heater", on: 0, isBusy: false }]);
    expect(device.now("heater", "PUT", { on: 1 })).toBe('{"on":1}');
  });

  it("waits for another guarded noun that was registered meanwhile", async () => {
    const { device, asked } = await waiting();
    const before = device.of("heater");
    device.unregister("heater");
    device.register("heater", { pump: { on: 1 } }, 1, "slowly");
    await device.pass();
    before.end();
    await device.pass();
    device.of("heater").end();
    await device.pass();
    device.of("heater").end();
    await device.pass();
    expect(asked.answer).toBe('{"on":2}');
    expect(device.log.map(({ name, on }) => `${name}=${on}`)).toEqual(["heater=0", "heater=0", "pump=2"]);
  });
});

describe("a guarded noun at the end of the program", () => {
  /** A pump that a heater needs, and a valve that needs the heater. All of them are on. */
  async function running(): Promise<GuardedDevice> {
    const guards = { pump: undefined, heater: { pump: { on: 1 } }, valve: { heater: { on: 1 } } };
    const device = await new GuardedDevice(guards).start();
    for (const name of ["pump", "heater", "valve"]) device.now(name, "PUT", { on: 1 });
    device.log.splice(0);
    return device;
  }

  it("goes to its default, each before the noun that its guard names, and does not leave it any more", async () => {
    const device = await running();
    device.of("valve").manner = "slowly";
    const gone = device.server.parts.find(guardsKey)?.finish(5_000);
    await device.pass();
    expect(device.log).toEqual([]);
    device.of("valve").end();
    await device.pass();
    // The DELETE that the heater has waited for was one more.
    device.of("valve").end();
    await gone;
    expect(device.log).toMatchObject([
      { name: "valve", on: 0 },
      { name: "heater", on: 0 },
    ]);
    expect(device.now("heater", "PUT", { on: 1 })).toBe("409 heater stays at its default: the program ends.");
    expect(["pump", "heater", "valve"].map((name) => device.server.parts.find(guardsKey)?.keeps(name))).toEqual(
      Array.from({ length: 3 }),
    );
  });

  it.each(["fails", "slowly"] as const)("keeps what its guard names if it %s", async (manner) => {
    const device = await running();
    device.of("valve").manner = manner;
    const gone = device.server.parts.find(guardsKey)?.finish(500);
    await device.pass(600);
    await gone;
    expect(device.log).toEqual([]);
    const opened = device.server.parts.find(guardsKey);
    expect([opened?.keeps("heater"), opened?.keeps("pump")]).toEqual([
      "valve is not at its default",
      "heater is not at its default",
    ]);
    if (manner === "fails") expect(device.reports[0]).toMatch(/^valve: did not go to its default at the end/);
  });
});

describe("a guarded noun that fails at the end of the program", () => {
  it("is sent to its default again within the time there is", async () => {
    const device = await heaterAndPump();
    for (const name of ["pump", "heater"]) device.now(name, "PUT", { on: 1 });
    device.of("heater").manner = "fails";
    const gone = device.server.parts.find(guardsKey)?.finish(5_000);
    await device.pass(1_500);
    device.of("heater").manner = "at once";
    await device.pass(1_000);
    await gone;
    expect([device.of("heater").on, device.server.parts.find(guardsKey)?.keeps("pump")]).toEqual([0, undefined]);
    expect(device.reports).toHaveLength(1);
  });
});

describe("a guarded noun at a reload", () => {
  const guards = {
    pump: undefined,
    heater: { pump: { on: 1 } },
    valve: { heater: { on: 1 } },
    fan: { pump: { on: 1 } },
  };

  async function running() {
    const device = await new GuardedDevice(guards).start();
    for (const name of Object.keys(guards)) device.now(name, "PUT", { on: 1 });
    device.log.splice(0);
    const release = (...removed: readonly string[]) =>
      device.server.parts.find(guardsKey)?.release((name) => !removed.includes(name), 500);
    return { device, release };
  }

  it.each([
    ["it is removed", "valve", ["valve=0"]],
    ["it and a noun that its guard names are removed", "heater", ["valve=0", "heater=0"]],
    ["a noun that its guard names is removed", "pump", ["valve=0", "heater=0", "fan=0"]],
    ["no noun that concerns it is removed", "lamp", []],
  ])("goes to its default if it must: %s", async (_, removed, log) => {
    const { device, release } = await running();
    expect(await release(removed)).toEqual([]);
    expect(device.log.map(({ name, on }) => `${name}=${on}`)).toEqual(log);
    const changed = device.now("valve", "PUT", { on: 1 });
    const why = "a reload removes it, or a noun that its guard names";
    if (removed === "valve") expect(changed).toBe(`409 valve stays at its default: ${why}.`);
    if (removed === "lamp") expect(changed).toBe('{"on":1}');
  });

  it.each(["fails", "slowly"] as const)("is told of if it %s, and stays guarded", async (manner) => {
    const { device, release } = await running();
    device.of("valve").manner = manner;
    const away = release("valve", "heater");
    await device.pass(600);
    expect(await away).toEqual(["heater", "valve"]);
    expect(device.log).toEqual([]);
    device.of("valve").manner = "at once";
    device.of("valve").end();
    await device.pass();
    for (const name of ["heater", "valve"]) expect(device.now(name, "PUT", { on: 1 })).toBe('{"on":1}');
    device.log.splice(0);
    device.now("pump", "PUT", { on: 0 });
    expect(device.log.map(({ name, on }) => `${name}=${on}`)).toEqual(["valve=0", "heater=0", "fan=0", "pump=0"]);
  });
});

describe("the default of a guarded noun", () => {
  const shape = { on: { type: "integer", minimum: 0, maximum: 9 } } as const satisfies Shape;

  async function withHeater(heater: Noun): Promise<GuardedDevice> {
    const device = await heaterAndPump();
    device.unregister("heater");
    device.now("pump", "PUT", { on: 1 });
    device.server.register("heater", heater);
    device.now("heater", "PUT", { on: 2 });
    return device;
  }

  it.each([
    ["a reset that does nothing", { reset: () => {} }],
    ["a set that takes no zero", {}],
  ])("is looked for after a DELETE by %s", async (_, functions) => {
    let on = 0;
    const set = (state: { on: number }) => {
      if (state.on !== 0) on = state.on;
    };
    const guard = { pump: { on: 1 } };
    const device = await withHeater(
      defineNoun({ shape, default: { on: 0 }, guard, get: () => ({ on }), set, ...functions }),
    );
    const sentence = 'DELETE left heater at {"on":2}, which is not its default.';
    expect(device.now("heater", "DELETE")).toBe(`500 ${sentence}`);
    expect(device.now("pump", "DELETE")).toBe(
      `409 pump stays as it is: heater must go to its default first, and did not: ${sentence}`,
    );
    device.of("pump").become(0);
    await settle();
    expect(device.reports).toContain(`heater: did not go to its default when its guard ended: ${sentence}`);
  });

  it("is doubted aloud, once, where nobody says it and DELETE leaves what was set", async () => {
    let on = 0;
    const guard = { pump: { on: 1 } };
    const set = (state: { on: number }) => {
      on = state.on;
    };
    const device = await withHeater(defineNoun({ shape, guard, get: () => ({ on }), set, reset: () => {} }));
    device.now("heater", "DELETE");
    device.now("heater", "DELETE");
    expect(device.reports).toEqual([
      'heater: its DELETE left it at {"on":2}, as it was set: nobody knows whether that is its default',
    ]);
  });

  it("may be a number that the hardware rounds", async () => {
    let on = 0;
    const rounded = { on: { type: "number" } } as const satisfies Shape;
    const set = (state: { on: number }) => {
      on = Math.round(state.on * 4) / 4;
    };
    const device = await withHeater(
      defineNoun({ shape: rounded, default: { on: 21.3 }, guard: { pump: { on: 1 } }, get: () => ({ on }), set }),
    );
    expect(device.now("heater", "DELETE")).toBe('{"on":21.25}');
  });

  it.each([
    ["a Modbus coil", () => modbusNoun({ server: "a:502", keys: { on: { read: "coil", at: 0, writable: true } } })],
    ["an attribute", () => sysfsNoun({ path: "/sys/class/x/y", key: "on", writable: true })],
  ])("must exist for each key that clients set: %s", (_, make) => {
    const device = new GuardedDevice({ pump: undefined });
    const noun = Object.assign(make(), { guard: { pump: { on: 1 } } });
    expect(() => device.server.register("heater", noun)).toThrow(
      'The guard of heater cannot switch it off: DELETE leaves "on" as it is; give it a "default".',
    );
  });
});

describe("a circle of guards", () => {
  it("is refused", () => {
    const device = new GuardedDevice({ a: { b: { on: 1 } }, b: { c: { on: 1 } } });
    expect(() => device.register("c", { a: { on: 1 } })).toThrow(
      new TypeError("The guard of c is in a circle: c needs a needs b needs c."),
    );
    expect(() => new GuardedDevice({ a: { a: { on: 1 } } })).toThrow("a needs a");
  });
});

it("measures which nouns their guards keep at their defaults, as far as the reader may know", async () => {
  const device = await new GuardedDevice({ pump: undefined, heater: { pump: { on: 1 } }, fan: {} }).start();
  const samples = (isReadable: (noun: string) => boolean) =>
    device.server.parts.find(guardsKey)?.measures(isReadable)[0]?.samples;
  expect(samples(() => true)).toEqual([
    [{ noun: "heater" }, 1],
    [{ noun: "fan" }, 0],
  ]);
  device.now("pump", "PUT", { on: 1 });
  await device.pass();
  expect(samples((noun) => noun === "heater")).toEqual([[{ noun: "heater" }, 0]]);
});
