/** Device classes with their units and state classes, and what Home Assistant shows of a value. */
import { spawnSync } from "node:child_process";
import { deviceClassesOf } from "../../../ts/core/noun/device-classes.ts";
import { stateClassesOf, unitOf, unitsOf } from "../../../ts/parts/documents/describe/home-assistant/classes.ts";
import { commandOf } from "../../harness/environment.ts";
import { configurationFile } from "../../harness/nound-process.ts";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import { newest, runIn } from "../installation.ts";

/** What is installed, as JSON: by device class the units and the state classes; by platform the device classes. */
const dump = `
import importlib, json
from homeassistant.components.sensor import const
def classes(platform):
    module = importlib.import_module(f"homeassistant.components.{platform}")
    name = "".join(word.title() for word in platform.split("_")) + "DeviceClass"
    return sorted(str(one) for one in getattr(module, name))
print(json.dumps({
    "units": {str(one): ["" if unit is None else str(unit) for unit in units]
              for one, units in const.DEVICE_CLASS_UNITS.items()},
    "states": {str(one): [str(state) for state in states] for one, states in const.DEVICE_CLASS_STATE_CLASSES.items()},
    "classes": {platform: classes(platform)
                for platform in ["binary_sensor", "button", "cover", "event", "switch", "valve"]}
        | {"sensor": sorted(str(one) for one in const.SensorDeviceClass)},
}))
`;

interface Installed {
  readonly units: { readonly [deviceClass: string]: readonly string[] };
  readonly states: { readonly [deviceClass: string]: readonly string[] };
  readonly classes: { readonly [platform: string]: readonly string[] };
}

const sorted = (words: readonly string[]) => [...words].sort();
/** Home Assistant takes both micro signs. */
const micro = (unit: string) => unit.replace("\u03bc", "\u00b5");

function table({ units, states }: Installed) {
  const all = Object.keys(states).sort();
  return all.map((one) => {
    const own = units[one]?.map(micro);
    // An angle needs its unit, which few classes have.
    const possible = states[one]?.filter((state) => state !== "measurement_angle" || own?.includes("°"));
    return [one, own && sorted(own), possible && sorted(possible)];
  });
}

function ours(deviceClasses: readonly string[]) {
  return deviceClasses.map((one) => {
    const units = unitsOf(one);
    return [one, units && sorted(units), sorted(stateClassesOf(one))];
  });
}

/** What the oldest version does not know. */
const youngClasses = [
  "absolute_humidity",
  "energy_distance",
  "glass_break",
  "pm4",
  "radon",
  "reactive_energy",
  "temperature_delta",
  "uptime",
  "wind_direction",
];

/** Numbers in units that need a class of their own, and the class and the state class that they get. */
const meters = {
  energy: { unit: "kW.h", shown: ["energy", "total_increasing", "kWh"] },
  water: { unit: "L", deviceClass: "water", shown: ["water", "total_increasing", "L"] },
  gas: { unit: "m3", deviceClass: "gas", shown: ["gas", "total_increasing", "m³"] },
  money: { unit: "EUR", deviceClass: "monetary", shown: ["monetary", "total", "EUR"] },
  acid: { unit: "[pH]", shown: ["ph", "measurement", undefined] },
} as const;

const adc = (index: number) => ({ kind: "sensor", device: "iio:device0", channel: `voltage${index}`, key: "value" });

export const classes: readonly HomeCase[] = [
  {
    name: "the table of classes is Home Assistant's own",
    async run({ home: { version } }) {
      const installed = JSON.parse(runIn(version, "/home-assistant/bin/python", "-c", dump)) as Installed;
      if (version === newest) {
        mustEqual("the table", ours(Object.keys(installed.states).sort()), table(installed));
        for (const [platform, known] of Object.entries(installed.classes)) {
          const own = deviceClassesOf(platform as Parameters<typeof deviceClassesOf>[0]);
          const missing = platform === "sensor" ? ["enum"] : [];
          mustEqual(`the classes of a ${platform}`, sorted([...own, ...missing]), known);
        }
        return `${Object.keys(installed.states).length} device classes`;
      }
      const units = [...new Set(deviceClassesOf("sensor").flatMap((one) => unitsOf(one) ?? []))];
      for (const unit of units) {
        const { deviceClass } = unitOf(unit);
        if (deviceClass === undefined) continue;
        must(installed.units[deviceClass]?.map(micro).includes(unit) === true, `${deviceClass} has ${unit}`);
        mustEqual(
          `the state class of ${deviceClass}`,
          installed.states[deviceClass]?.includes(stateClassesOf(deviceClass)[0] ?? ""),
          true,
        );
      }
      const unknown = ["sensor", "binary_sensor"].flatMap((platform) =>
        deviceClassesOf(platform as Parameters<typeof deviceClassesOf>[0]).filter(
          (one) => installed.classes[platform]?.includes(one) !== true,
        ),
      );
      mustEqual("what it does not know, as the docs say,", sorted(unknown), youngClasses);
      return `${units.length} units; ${unknown.length} unknown classes`;
    },
  },
  {
    name: "meters are meters",
    async run(house) {
      const { home } = house;
      const all = Object.entries(meters).map(([name, { shown: _, ...options }], index) => [
        name,
        { ...adc(index), ...options },
      ]);
      const pulses = { kind: "gpio-input", line: "GPIO22", key: "high", edges: "rising" };
      const nouns = {
        ...Object.fromEntries(all),
        meter: { kind: "sensor", device: "ina", channel: "energy1" },
        pulses: { ...pulses, keys: { edges: { unit: "L", deviceClass: "water" } } },
        plain: { ...adc(9), homeAssistant: { device_class: null, icon: null } },
      };
      const device = await house.device({ nouns });
      const of = async (place: string) => {
        const id = await device.entity(place);
        await until(`${id} is available`, () => !["unavailable", undefined].includes(home.state(id)));
        return ["device_class", "state_class", "unit_of_measurement"].map((name) => home.attribute(id, name));
      };
      for (const [name, { shown }] of Object.entries(meters)) mustEqual(name, await of(`${name}/value`), shown);
      mustEqual("hwmon's energy", await of("meter/joules"), ["energy", "total_increasing", "J"]);
      mustEqual("a counter of pulses", await of("pulses/edges"), ["water", "total_increasing", "L"]);
      mustEqual("a class that is null", await of("plain/value"), [undefined, "measurement", "V"]);
      return `${all.length + 3} sensors`;
    },
  },
  {
    name: "what Home Assistant would refuse, --check refuses",
    async run() {
      const wrong = {
        unit: { ...adc(1), unit: "W", deviceClass: "temperature" },
        state: { ...adc(2), unit: "L", deviceClass: "water", homeAssistant: { state_class: "measurement" } },
        kind: { kind: "gpio-output", line: "GPIO17", key: "on", homeAssistant: { device_class: "door" } },
        icon: { kind: "gpio-output", line: "GPIO22", key: "on", homeAssistant: { icon: "door" } },
      };
      const mqtt = { server: "127.0.0.1:1883", id: "hall", homeAssistant: true };
      const file = configurationFile(JSON.stringify({ listen: "127.0.0.1:8080", mqtt, nouns: wrong }));
      const [command, ...words] = commandOf("nound");
      const { status, stderr } = spawnSync(command, [...words, "--simulate", "--check", "--config", file], {
        encoding: "utf8",
      });
      mustEqual("the status", status === 0, false);
      for (const name of Object.keys(wrong))
        must(stderr.includes(`$.nouns.${name}: `), `--check names ${name}: ${stderr}`);
      return `${Object.keys(wrong).length} mistakes`;
    },
  },
  {
    name: "values look as people expect",
    async run(house) {
      const { home } = house;
      const nouns = {
        battery: { kind: "sensor", device: "BAT0" },
        system: { kind: "sensor", device: "system" },
        cellar: { kind: "sensor", device: "28-0316a2796ee1" },
        door: { kind: "switch", key: "open", values: [false, true] },
        heating: {
          kind: "value",
          default: { mode: "unknown" },
          shape: {
            mode: { type: "choice", values: ["unknown", "unavailable", "none", "auto"] },
            target: { type: "number", minimum: 5, maximum: 30, required: false },
            size: { type: "number", required: false },
          },
        },
      };
      const device = await house.device({ nouns });
      const { entities } = await home.ask<{
        readonly entities: readonly { readonly ei: string; readonly dp?: number }[];
      }>("config/entity_registry/list_for_display");
      const precision = async (place: string) => {
        const id = await device.entity(place);
        return entities.find(({ ei }) => ei === id)?.dp;
      };
      const precisions = [];
      const places = ["battery/volts", "battery/percent", "system/memoryAvailable", "system/load1", "cellar/celsius"];
      for (const place of places) precisions.push(await precision(place));
      mustEqual("the decimals", precisions, [2, 0, 0, 2, 1]);
      const memory = await device.entity("system/memoryAvailable");
      await home.shows(memory, "64.0");
      mustEqual("the memory's unit", home.attribute(memory, "unit_of_measurement"), "MiB");
      const door = await device.entity("door/open", "switch");
      await home.shows(door, "off");
      await home.call("switch.turn_on", door);
      await device.has("door", { open: true });
      await home.shows(door, "on");
      const mode = await device.entity("heating/mode");
      for (const word of ["unknown", "unavailable", "none"]) {
        await device.ask("heating", { mode: word });
        await home.shows(mode, `"${word}"`);
      }
      await home.call("select.select_option", mode, { option: '"unavailable"' });
      await device.has("heating", { mode: "unavailable" });
      const target = await device.entity("heating/target");
      await home.shows(target, "unknown");
      await home.call("number.set_value", target, { value: 21.5 });
      await device.has("heating", { target: 21.5 });
      await home.shows(target, "21.5");
      await device.ask("heating", { mode: "auto" });
      await home.shows(target, "unknown");
      const size = await device.entity("heating/size");
      await device.ask("heating", { mode: "auto", size: 5 });
      await home.shows(size, "5");
      await device.ask("heating", { mode: "auto", size: 3.5e20 });
      await home.shows(size, "3.5e+20");
      return "9 values";
    },
  },
];
