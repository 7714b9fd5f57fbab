/** Every kind of noun there and back. */
import { freeAddress } from "../../harness/address.ts";
import { type HomeCase, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

const nouns = {
  lamp: { kind: "gpio-output", line: "GPIO17", key: "on", title: "Lamp" },
  door: { kind: "gpio-output", line: "GPIO22", key: "open", pulse: 60_000 },
  bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
  window: { kind: "gpio-input", line: "GPIO5", key: "open", deviceClass: "window" },
  status: { kind: "led", device: "green:status" },
  fan: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 25_000 },
  cellar: { kind: "sensor", device: "28-0316a2796ee1", title: "Cellar" },
  battery: { kind: "sensor", device: "BAT0" },
  mode: { kind: "switch", key: "mode", values: ["manual", "auto"] },
  "system.1": { kind: "sensor", device: "system" },
  water: {
    kind: "gpio-input",
    line: "GPIO6",
    key: "pulse",
    edges: "rising",
    total: { key: "litres", scale: 10, unit: "L", deviceClass: "water" },
  },
  grid: {
    kind: "modbus",
    server: "192.0.2.9:502",
    poll: 1_000,
    keys: {
      watts: { at: "input 0", as: "int16", unit: "W" },
      limit: { at: "holding 40", writable: true, minimum: 0, maximum: 100 },
    },
  },
  heating: {
    kind: "value",
    default: { target: 20.5, mode: "none", note: "{{ 7 * 7 }}" },
    shape: {
      target: { type: "number", minimum: 5, maximum: 30, unit: "Cel" },
      mode: { type: "choice", values: ["none", "auto"] },
      note: { type: "string", maximum: 40 },
    },
  },
};

/** Sets each value in Home Assistant, and waits until the device has it, and Home Assistant shows it. */
async function there({ home }: House, device: Device): Promise<number> {
  const lamp = await device.entity("lamp/on");
  // It ignores commands for what is unavailable.
  await home.shows(lamp, "off");
  await home.call("switch.turn_on", lamp);
  await device.has("lamp", { on: 1 });
  await home.shows(lamp, "on");
  await home.call("button.press", await device.entity("door/open"));
  await device.has("door", { open: 1 });
  const status = await device.entity("status/brightness");
  await home.call("light.turn_on", status, { brightness: 128 });
  await device.has("status", { brightness: 128 });
  await home.shows(status, "on");
  await home.call("light.turn_off", status);
  await home.shows(status, "off");
  const target = await device.entity("heating/target");
  await home.call("number.set_value", target, { value: 21.5 });
  await home.shows(target, "21.5");
  const mode = await device.entity("heating/mode");
  await home.shows(mode, '"none"');
  await home.call("select.select_option", mode, { option: "auto" });
  await home.shows(mode, "auto");
  await home.call("select.select_option", mode, { option: '"none"' });
  await device.has("heating", { target: 21.5, mode: "none" });
  const note = await device.entity("heating/note");
  await home.shows(note, "{{ 7 * 7 }}");
  const text = `"{% if 1 %}' é 🚪`;
  await home.call("text.set_value", note, { value: text });
  await device.has("heating", { note: text });
  await home.shows(note, text);
  const limit = await device.entity("grid/limit");
  await home.call("number.set_value", limit, { value: 60 });
  await device.has("grid", { limit: 60 });
  await home.shows(limit, "60");
  return 11;
}

/** Sets each value at the device, and waits until Home Assistant shows it. */
async function back({ home }: House, device: Device): Promise<number> {
  const lamp = await device.entity("lamp/on");
  for (const on of [0, 1, 0]) {
    await device.ask("lamp", { on });
    await home.shows(lamp, on === 1 ? "on" : "off");
  }
  const cellar = await device.entity("cellar/celsius");
  for (const [celsius, shown] of [
    [21.5, "21.5"],
    [null, "unavailable"],
    [-4.5, "-4.5"],
  ] as const) {
    await device.ask("simulated.cellar", { celsius });
    await home.shows(cellar, shown);
  }
  const window = await device.entity("window/open");
  await device.ask("simulated.window", { open: 1 });
  await home.shows(window, "on");
  mustEqual("its class", home.attribute(window, "device_class"), "window");
  const bell = await device.entity("bell:event");
  await home.shows(bell, "unknown");
  await device.press("bell");
  await until("Home Assistant shows the press", () => home.attribute(bell, "event_type") === "short");
  const litres = await device.entity("water/litres");
  mustEqual("the total's class", home.attribute(litres, "state_class"), "total_increasing");
  for (const pulse of [1, 0, 1]) await device.ask("simulated.water", { pulse });
  await home.shows(litres, "20");
  await device.ask("water", { litres: 500 });
  await home.shows(litres, "500");
  await device.ask("simulated.grid", { watts: -230 });
  await home.shows(await device.entity("grid/watts"), "-230");
  return 11;
}

/** A mirror, whose other device goes away and returns; meanwhile, the device with the mirror starts again. */
async function mirrored({ home }: House, porch: Device, hall: Device): Promise<void> {
  const bell = await hall.entity("bell/on", "switch");
  await home.shows(bell, "off");
  await home.call("switch.turn_on", bell);
  await porch.has("bell", { on: 1 });
  await home.shows(bell, "on");
  await porch.end("SIGKILL");
  await home.shows(bell, "unavailable");
  await hall.restart();
  await hall.connected();
  await home.shows(bell, "unavailable");
  await porch.again();
  await home.shows(bell, "off");
  await home.call("switch.turn_on", bell);
  await porch.has("bell", { on: 1 });
  mustEqual("its id", await hall.entity("bell/on", "switch"), bell);
  mustEqual("mirrors that nobody switched on", (await home.entities(hall.id)).filter(isOfLamp), []);
}

const isOfLamp = ({ unique_id: id }: { readonly unique_id: string }): boolean => id.includes("/lamp");

export const kinds: readonly HomeCase[] = [
  {
    name: "a mirror and its other device, away and back",
    async run(house) {
      const on = { kind: "switch", key: "on" };
      const listen = await freeAddress();
      const porch = await house.begin({ nouns: { bell: on, lamp: on }, listen });
      const of = (noun: string) => ({ kind: "mirror", url: `http://${listen}/${noun}`, keepAlive: 2_000 });
      const hall = await house.device({ nouns: { bell: { ...of("bell"), homeAssistant: {} }, lamp: of("lamp") } });
      await mirrored(house, porch, hall);
      return "switched, unavailable, and the same entity again";
    },
  },
  {
    name: "every kind there and back",
    async run(house) {
      const device = await house.device({ nouns, stateDirectory: "/var/lib/nound" });
      const values = (await there(house, device)) + (await back(house, device));
      return `${values} values, ${(await house.home.entities(device.id)).length} entities`;
    },
  },
];
