/**
 * What people build, as configuration alone: each recipe of docs/rules.md and of examples/recipes is played as it is,
 * with simulated time. Their reasons are in the threads of people who do this job with other programs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { type Json, parseJson } from "../../../ts/settings/json.ts";
import { PlayedDevice, type Step } from "./device.ts";

const top = new URL("../../../", import.meta.url);
const folder = new URL("examples/recipes/", top);
const page = readFileSync(new URL("docs/rules.md", top), "utf8");

/** The configurations of the page, by their headings, and of the folder, by their files. */
const configurations = new Map<string, Json>([
  ...page.split(/^##+ /m).flatMap((section): [string, Json][] => {
    const [heading = ""] = section.split("\n");
    const [, json] = /```json\n(.*?)```/s.exec(section) ?? [];
    return json === undefined ? [] : [[heading, parseJson(json)]];
  }),
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name): [string, Json] => [name.replace(".json", ""), parseJson(readFileSync(new URL(name, folder), "utf8"))]),
]);

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const room = "28-0316a2796ee1";
const lux = "/sys/bus/iio/devices/iio:device0/in_illuminance_raw";
const battery = "/sys/class/power_supply/BAT0/capacity";
const carrier = "/sys/class/net/wwan0/carrier";

const on = (noun: string, key = "on"): Step => ["is", noun, { [key]: 1 }];
const off = (noun: string, key = "on"): Step => ["is", noun, { [key]: 0 }];
const is = (noun: string, state: State): Step => ["is", noun, state];
const wait = (ms: number): Step => ["wait", ms];
const high = (line: string): Step => ["line", line, 1];
const low = (line: string): Step => ["line", line, 0];
const press = (line: string, ms = 100): Step => ["press", line, ms];
const celsius = (value: number | "lost"): Step => ["celsius", room, value];

/** By recipe, the moment at which it begins, and what happens. The 10th of January 2026 is a Saturday. */
const played: { readonly [recipe: string]: readonly [start: string, steps: readonly Step[], files?: object] } = {
  // The scenarios of Wiren Board: if-then, light with motion, thermostat, schedule, sun timer, periodic timer, map of a
  // value, and a heater by its duty.
  "Frost protection, also when the sensor dies": [
    "2026-01-10T12:00",
    [off("heater"), celsius(3), on("heater"), celsius(5), on("heater"), celsius(6.5), off("heater"), celsius(3)].concat(
      [on("heater"), ["celsius", room, "lost"], wait(70 * second), off("heater")],
    ),
  ],
  "A light goes on with motion, and off two minutes later": [
    "2026-01-10T12:00",
    [
      ...[high("GPIO22"), on("light"), low("GPIO22"), wait(100 * second), high("GPIO22"), low("GPIO22")],
      ...[wait(100 * second), on("light"), wait(21 * second), off("light")],
    ],
  ],
  "A thermostat with a set-point for each hand": [
    "2026-01-10T12:00",
    [
      ...[celsius(21), off("heater"), ["PUT", "wish", { celsius: 23 }] as const, on("heater"), celsius(23.2)],
      ...[on("heater"), celsius(23.6), off("heater"), ["power cut", hour] as const, is("wish", { celsius: 23 })],
      ...[celsius(22), on("heater")],
    ],
  ],
  "Lights off at night": [
    "2026-01-11T22:29",
    [["PUT", "porch", { on: 1 }], wait(40 * second), on("porch"), wait(20 * second), off("porch")],
  ],
  "Lights by the sun": [
    // The sun sets at 16:14 in Berlin.
    "2026-01-10T16:30",
    [wait(10 * minute), off("porch"), wait(8 * minute), on("porch"), wait(6 * hour + 45 * minute), off("porch")],
  ],
  "ventilation-twice-an-hour": [
    "2026-01-10T12:00",
    [
      ...[wait(29 * minute), off("fan"), wait(2 * minute), on("fan"), wait(5 * minute), off("fan")],
      ...[wait(25 * minute), on("fan")],
    ],
  ],
  "lamp-brighter-in-the-dark": [
    "2026-01-10T12:00",
    [["file", lux, "100"], is("lamp", { percent: 80 }), ["file", lux, "490"], is("lamp", { percent: 2 })].concat([
      ["file", lux, "900"],
      is("lamp", { percent: 0 }),
    ] as never) as Step[],
    { [lux]: "0" },
  ],
  "heater-by-duty": [
    "2026-01-10T12:00",
    [
      // At 22 °C it heats 200 s of each 600, at 23.5 °C not at all.
      ...[celsius(22), is("duty", { seconds: 200 }), on("heater"), wait(190 * second), on("heater")],
      ...[wait(15 * second), off("heater"), wait(400 * second), on("heater"), wait(200 * second), off("heater")],
      ...[celsius(23.5), is("duty", { seconds: 0 }), wait(20 * minute), off("heater")],
    ],
  ],
  // From the page.
  "A button toggles a relay": [
    "2026-01-10T12:00",
    [press("GPIO27"), on("relay", "relay"), press("GPIO27"), off("relay", "relay")],
  ],
  "A long press switches everything off": [
    "2026-01-10T12:00",
    [
      ...([
        ["PUT", "hall", { on: 1 }],
        ["PUT", "kitchen", { on: 1 }],
      ] as const),
      ...[press("GPIO27"), on("hall"), press("GPIO27", 2 * second), off("hall"), off("kitchen")],
    ],
  ],
  "A light that stays on as long as you say": [
    "2026-01-10T12:00",
    [
      ...[high("GPIO22"), low("GPIO22"), wait(4 * minute), on("light"), wait(minute), off("light")],
      ...[["PUT", "stay", { minutes: 1 }] as const, high("GPIO22"), low("GPIO22"), wait(minute), off("light")],
    ],
  ],
  "A leak in either room, or a lost sensor": [
    "2026-01-10T12:00",
    [
      ...[off("valve", "closed"), high("GPIO23"), on("valve", "closed"), off("alarm"), celsius("lost")],
      ...[wait(50 * second), off("alarm"), wait(12 * second), on("alarm"), celsius(30), off("alarm")],
    ],
  ],
  "Hold a button to dim": [
    "2026-01-10T12:00",
    [...[press("GPIO27", 1_000), is("light", { percent: 30 }), press("GPIO27", 5_000)], is("light", { percent: 100 })],
  ],
  "A compressor that rests": [
    "2026-01-10T12:00",
    [
      ...[celsius(27), off("compressor"), wait(3 * minute), on("compressor"), celsius(23), off("compressor")],
      ...[celsius(27), off("compressor"), wait(2 * minute), off("compressor"), wait(minute), on("compressor")],
    ],
  ],
  "A pulse opens the garage door": ["2026-01-10T12:00", [press("GPIO27"), wait(second), off("door", "door")]],
  "A motion light, only in the evening": [
    "2026-01-10T16:58",
    [
      ...[high("GPIO22"), off("light"), wait(3 * minute), on("light"), low("GPIO22"), off("light")],
      ...[["power cut", hour] as const, high("GPIO22"), on("light"), wait(6 * hour), off("light")],
    ],
  ],
  "A shutter with one button, which closes at sunset": [
    "2026-01-10T16:30",
    [
      ...[press("GPIO27"), wait(25 * second), is("blind", { position: 100 }), wait(7 * minute)],
      is("blind", { position: 0 }),
    ],
  ],
  "A webhook reports that a door is open too long": [
    "2026-01-10T12:00",
    [
      ...[
        ["PUT", "night", { on: 1 }] as const,
        ["sent", '{"door":"closed"}'] as const,
        high("GPIO22"),
        wait(20 * second),
        ["sent"] as const,
      ],
      ...[
        wait(11 * second),
        ["sent", '{"door":"open"}'] as const,
        low("GPIO22"),
        ["sent", '{"door":"closed"}'] as const,
      ],
    ],
  ],
  "A message in words about a cold cellar": [
    "2026-01-10T12:00",
    [celsius(3.5), ["sent", "Cellar is at 3.5 °C"], celsius(5), celsius(3.5), ["sent"]],
  ],
  "A heater that never runs without its pump": [
    "2026-01-10T12:00",
    [
      ...[["refused", "PUT", "heater", { on: 1 }] as const, ["PUT", "pump", { on: 1 }] as const],
      ...[["PUT", "heater", { on: 1 }] as const, on("heater"), celsius(61), off("heater"), celsius(57)],
      ...[["refused", "PUT", "heater", { on: 1 }] as const, celsius(54), ["PUT", "heater", { on: 1 }] as const],
      ...[["PUT", "pump", { on: 0 }] as const, off("heater")],
    ],
  ],
  "Two pumps that never run together": [
    "2026-01-10T12:00",
    [
      ...[wait(2 * second), ["PUT", "tank", { on: 1 }] as const, ["PUT", "well", { on: 1 }] as const, off("tank")],
      ...[["PUT", "well", { on: 0 }] as const, ["refused", "PUT", "tank", { on: 1 }, 1] as const, wait(second)],
      ["PUT", "tank", { on: 1 }],
    ],
  ],
  "A pool's valve that opens only while the filter stands still": [
    "2026-01-11T02:59",
    [
      ...[high("GPIO22"), ["PUT", "filter", { on: 1 }] as const, wait(minute), off("filter"), on("valve", "open")],
      ...[low("GPIO22"), off("valve", "open")],
    ],
  ],
  // From the folder.
  "lights-from-dusk-on-also-after-a-power-cut": [
    "2026-01-10T16:00",
    [
      ...[off("lights"), wait(20 * minute), on("lights"), ["power cut", 2 * hour] as const, on("lights")],
      ...[["POST", "evening", { to: "21:00" }] as const, wait(2 * hour), on("lights"), ["power cut", minute] as const],
      ...[on("lights"), wait(hour), off("lights"), ["power cut", hour] as const, off("lights")],
    ],
  ],
  "blind-opens-at-sunrise-but-not-before-seven": [
    // In June the sun rises before five.
    "2026-06-21T06:58",
    [wait(minute), is("blind", { position: null }), wait(2 * minute), is("blind", { position: 100 })],
  ],
  "garden-is-watered-every-third-day": [
    "2026-05-02T05:59",
    [
      ...[wait(2 * minute), off("valve"), wait(48 * hour), on("valve"), wait(10 * minute), off("valve")],
      ...[wait(24 * hour), off("valve")],
    ],
  ],
  "pool-pump-on-odd-days": [
    "2026-01-10T12:00",
    [off("pump"), wait(22 * hour + minute), on("pump"), ["power cut", minute], on("pump"), wait(6 * hour), off("pump")],
  ],
  "garden-lights-on-even-days": [
    "2026-01-10T19:59",
    [wait(2 * minute), on("lights"), wait(2 * hour), off("lights"), wait(22 * hour), off("lights")],
  ],
  "alarm-if-the-sensor-of-the-tub-is-lost": [
    "2026-01-10T12:00",
    [
      ...[["sent", "The tub is at 20 °C"] as const, celsius("lost"), wait(50 * second), ["sent"] as const],
      ...[wait(12 * second), ["sent", "The tub has no thermometer"] as const],
      ...[celsius(37), ["sent", "The tub is at 37 °C"] as const],
    ],
  ],
  "fan-cools-above-a-limit-that-people-set": [
    "2026-01-10T12:00",
    [
      ...[celsius(38), off("fan"), ["PUT", "limit", { celsius: 35 }] as const, on("fan"), celsius(33), on("fan")],
      ...[celsius(31), off("fan"), ["power cut", minute] as const, celsius(36), on("fan")],
    ],
  ],
  "stairs-light-for-three-minutes": [
    "2026-01-10T12:00",
    [press("GPIO27"), wait(2 * minute), press("GPIO22"), wait(2 * minute), on("stairs"), wait(minute), off("stairs")],
  ],
  "two-buttons-toggle-one-lamp": ["2026-01-10T12:00", [press("GPIO27"), on("lamp"), press("GPIO22"), off("lamp")]],
  "double-press-runs-a-scene": [
    "2026-01-10T12:00",
    [
      ...[["PUT", "lamp", { on: 1 }] as const, press("GPIO27"), on("lamp"), ["POST", "film", {}] as const, off("lamp")],
      ...[["PUT", "lamp", { on: 1 }] as const, ["double press", "GPIO27"] as const, off("lamp")],
      is("strip", { percent: 20 }),
    ],
  ],
  "bell-is-silent-at-night": [
    "2026-01-10T21:59",
    [
      ...[press("GPIO27"), is("ring", { runs: 1 }), wait(3 * minute)],
      ...[press("GPIO27"), is("ring", { runs: 1 }), wait(9 * hour), press("GPIO27"), is("ring", { runs: 2 })],
    ],
  ],
  "bathroom-fan-runs-on": [
    "2026-01-10T12:00",
    [
      ...[high("GPIO27"), wait(30 * second), low("GPIO27"), off("fan"), high("GPIO27"), wait(minute), on("fan")],
      ...[low("GPIO27"), wait(4 * minute), on("fan"), wait(minute), off("fan")],
    ],
  ],
  "tank-is-filled-between-two-contacts": [
    "2026-01-10T12:00",
    [
      ...[high("GPIO22"), low("GPIO22"), wait(2 * second), on("pump"), high("GPIO22"), on("pump"), high("GPIO23")],
      ...[off("pump"), low("GPIO23"), wait(minute), off("pump"), low("GPIO22"), wait(2 * second), on("pump")],
    ],
  ],
  "pump-never-runs-dry": [
    "2026-01-10T12:00",
    [
      ...[high("GPIO22"), wait(minute), high("GPIO23"), on("pump"), low("GPIO22"), off("pump"), high("GPIO22")],
      // The rule tries again by itself when the water has been there for a minute.
      ...[off("pump"), low("GPIO23"), high("GPIO23"), off("pump"), wait(minute), on("pump")],
    ],
  ],
  "motor-forward-and-back-with-a-pause": [
    "2026-01-10T12:00",
    [
      ...[wait(second), ["PUT", "forward", { on: 1 }] as const, ["drive", "GPIO22", 1] as const, off("forward")],
      ...[
        off("back"),
        wait(900),
        off("back"),
        wait(150),
        on("back"),
        ["PUT", "forward", { on: 1 }] as const,
        off("back"),
      ],
    ],
  ],
  "door-left-open-at-night": [
    "2026-01-10T21:30",
    [
      ...[high("GPIO22"), wait(20 * minute), ["sent"] as const, wait(19 * minute), ["sent"] as const, wait(2 * minute)],
      ["sent", "The garage is open"],
    ],
  ],
  "freezer-is-too-warm": [
    "2026-01-10T12:00",
    [
      ...[celsius(-18), celsius(-11), wait(10 * minute), celsius(-16), ["sent"] as const, celsius(-10)],
      ...[wait(15 * minute), ["sent", "The freezer is at -10 °C"] as const],
    ],
  ],
  "green-lamp-while-the-room-is-comfortable": [
    "2026-01-10T12:00",
    [celsius(18), off("green"), celsius(22), on("green"), celsius(25), off("green"), celsius(23), on("green")],
  ],
  "heating-waits-while-a-window-is-open": [
    "2026-01-10T12:00",
    [
      ...[wait(2 * minute), celsius(19), on("valve"), high("GPIO22"), off("valve"), low("GPIO22"), wait(minute)],
      ...[["refused", "PUT", "valve", { on: 1 }, 59] as const, wait(minute), ["PUT", "valve", { on: 1 }] as const],
    ],
  ],
  "warmer-by-day-than-by-night": [
    "2026-01-10T21:55",
    [
      ...[celsius(18), on("heater"), wait(6 * minute), off("heater"), celsius(15), on("heater")],
      ...[["POST", "day", { from: "05:00" }] as const, ["power cut", 7 * hour] as const, celsius(18), on("heater")],
    ],
  ],
  "motion-light-at-night-between-times-that-people-set": [
    // Any start in a year, and whatever may happen, is in motion-light.test.ts.
    "2026-01-12T21:00",
    [
      ...[high("GPIO22"), off("light"), ["PUT", "wish", { time: "21:05", minutes: 1 }] as const, wait(6 * minute)],
      ...[on("light"), low("GPIO22"), wait(50 * second), on("light"), wait(11 * second), off("light")],
    ],
  ],
  "wake-up-light-at-a-time-that-people-set": [
    "2026-01-12T06:00",
    [
      ...[["PUT", "wake", { time: "06:10" }] as const, ["power cut", minute] as const, wait(8 * minute), off("lamp")],
      ...[wait(minute), on("lamp")],
    ],
  ],
  "load-is-shed-before-the-battery-is-empty": [
    "2026-01-10T12:00",
    [
      on("load"),
      ["file", battery, "19"],
      off("load"),
      ["file", battery, "35"],
      off("load"),
      ["file", battery, "40"],
      on("load"),
    ],
    { [battery]: "80" },
  ],
  "generator-starts-on-a-weak-battery": [
    "2026-01-10T12:00",
    [
      ...[["file", battery, "14"] as const, wait(50 * second), is("start", { runs: 0 }), wait(12 * second)],
      ...[
        is("start", { runs: 1 }),
        ["file", battery, "40"] as const,
        ["file", battery, "14"] as const,
        wait(2 * minute),
      ],
      is("start", { runs: 1 }),
    ],
    { [battery]: "80" },
  ],
  "two-buttons-dim-up-and-down": [
    "2026-01-10T12:00",
    [
      ...[press("GPIO27"), is("lamp", { percent: 70 }), press("GPIO27"), press("GPIO27"), is("lamp", { percent: 100 })],
      ...[press("GPIO22"), is("lamp", { percent: 80 })],
    ],
  ],
  "hot-water-is-boiled-once-a-week": [
    "2026-01-11T01:59",
    [
      celsius(45),
      off("heater"),
      wait(minute),
      on("heater"),
      celsius(66),
      off("heater"),
      off("boost"),
      celsius(45),
      off("heater"),
    ],
  ],
  "valve-is-exercised-once-a-week": [
    "2026-01-10T02:59",
    [wait(minute), on("valve"), wait(minute), off("valve"), wait(24 * hour), off("valve")],
  ],
  "everything-off-when-the-last-one-leaves": [
    "2026-01-10T12:00",
    [
      ...([
        ["PUT", "lamp", { on: 1 }],
        ["PUT", "iron", { on: 1 }],
      ] as const),
      ...[press("GPIO27"), on("iron"), press("GPIO27", 2 * second), off("iron"), off("lamp")],
    ],
  ],
  "modem-is-restarted-when-it-hangs": [
    "2026-01-10T12:00",
    [
      ...[wait(6 * minute), is("hang", { runs: 0 }), ["file", carrier, "0"] as const, wait(2 * minute)],
      ...[["file", carrier, "x"] as const, wait(3 * minute), is("hang", { runs: 1 }), ["file", carrier, "1"] as const],
      ...[wait(6 * minute), is("hang", { runs: 1 })],
    ],
    { [carrier]: "1" },
  ],
  "holiday-switch-keeps-the-heating-low": [
    "2026-01-10T12:00",
    [
      ...[
        celsius(18),
        on("heater"),
        ["PUT", "holiday", { on: 1 }] as const,
        off("heater"),
        ["power cut", hour] as const,
      ],
      ...[off("heater"), is("wish", { celsius: 8 }), ["PUT", "holiday", { on: 0 }] as const, on("heater")],
    ],
  ],
};

afterEach(() => void vi.restoreAllMocks());

test.each(Object.entries(played))("%s", async (recipe, [start, steps, files = {}]) => {
  const configuration = configurations.get(recipe);
  if (configuration === undefined) throw new Error(`There is no recipe ${recipe}.`);
  const device = await new PlayedDevice(configuration, start, { [room]: 20, ...files }).start();
  for (const step of steps) await device.play(step);
});

/** Played by the program, in test/e2e/rules.test.ts: hardware that the steps do not have, a broker, other devices. */
const elsewhere = [
  "A fan cools what a Modbus unit measures",
  "A heater whose pump is on another device",
  "A knob dims a fan",
  "A second button on another device",
  "The device acts alone while its broker is gone",
];

test("each recipe of the page and of the folder is played", () => {
  expect(configurations.size).toBeGreaterThanOrEqual(53);
  expect([...configurations.keys()].filter((name) => played[name] === undefined).toSorted()).toEqual(elsewhere);
});
