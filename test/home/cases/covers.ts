/** Covers: where they are, which way they go, their slats, and what nobody knows or what has failed. */
import { type HomeCase, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

/** ms. A move that a step stops is long. */
const [short, middle, long] = [300, 2_000, 60_000];

function cover(lines: readonly [string, string], stroke: number, deviceClass: string, more: object = {}): object {
  const [open, close] = lines.map((line) => ({ line }));
  const times = { openTime: stroke, closeTime: stroke, pause: 100 };
  return {
    kind: "cover",
    open,
    close,
    ...times,
    boot: "default",
    homeAssistant: { device_class: deviceClass },
    ...more,
  };
}

const contact = (line: string) => ({ kind: "gpio-input", line, key: "pressed", edges: "both" });

const nouns = {
  blind: cover(["GPIO4", "GPIO5"], middle, "blind", { tiltTime: short }),
  awning: cover(["GPIO6", "GPIO7"], long, "awning", { default: { position: 0 }, guard: { wind: { storm: 0 } } }),
  wind: { kind: "switch", key: "storm" },
  gate: cover(["GPIO8", "GPIO9"], short, "gate", { stopAt: { open: { top: { pressed: 1 } } } }),
  top: contact("GPIO10"),
  door: {
    kind: "cover",
    button: { line: "GPIO11" },
    stopAt: { close: { bottom: { pressed: 1 } } },
    ...{ openTime: short, closeTime: long, pause: 100, pulse: 50, boot: "default" },
    homeAssistant: { device_class: "garage" },
  },
  bottom: contact("GPIO12"),
};

/** Waits until an attribute of an entity has a value. */
async function has({ home }: House, id: string, name: string, wanted: unknown): Promise<void> {
  const seen = () => JSON.stringify(home.attribute(id, name));
  await until(`${name} of ${id} is ${JSON.stringify(wanted)}`, () => seen() === JSON.stringify(wanted), seen);
}

/** A position, slats, and a stop. */
async function moveBlind(house: House, device: Device): Promise<void> {
  const { home } = house;
  const id = await device.entity("blind:cover");
  await home.shows(id, "unknown");
  await home.call("cover.close_cover", id);
  await home.shows(id, "closed");
  await has(house, id, "current_position", 0);
  await home.call("cover.set_cover_position", id, { position: 60 });
  await home.shows(id, "opening");
  await home.shows(id, "open");
  // A busy machine stops it late, and it knows that.
  const { position } = await device.ask("blind");
  mustEqual("whether it went there", Number(position) >= 60 && Number(position) < 100, true);
  await has(house, id, "current_position", position);
  await home.call("cover.close_cover_tilt", id);
  await has(house, id, "current_tilt_position", 0);
  await home.call("cover.set_cover_tilt_position", id, { tilt_position: 100 });
  await has(house, id, "current_tilt_position", 100);
}

/** It shows which way it goes, and stops; its guard keeps it in, and Home Assistant shows where it really goes. */
async function moveAwning(house: House, device: Device): Promise<void> {
  const { home } = house;
  const id = await device.entity("awning:cover");
  await home.call("cover.open_cover", id);
  await home.shows(id, "opening");
  await home.call("cover.stop_cover", id);
  await home.shows(id, "unknown");
  await device.has("awning", { moving: "stopped" });
  await device.ask("wind", { storm: 1 });
  await home.shows(id, "closing");
  await home.call("cover.open_cover", id);
  await device.has("awning", { moving: "closing" });
  await home.shows(id, "closing");
}

/** An end switch, a hand, and a switch that never reports. */
async function moveGate(house: House, device: Device): Promise<void> {
  const { home } = house;
  const id = await device.entity("gate:cover");
  const failure = await device.entity("gate/failure");
  await device.ask("simulated.top", { pressed: 1 });
  await home.shows(id, "open");
  await has(house, id, "current_position", 100);
  await device.ask("simulated.top", { pressed: 0 });
  // It keeps the last position, because its covers take numbers alone; the state is what counts.
  await home.shows(id, "unknown");
  await home.call("cover.open_cover", id);
  await home.shows(failure, "It did not reach its end switch in time.");
  await home.shows(id, "unknown");
}

async function moveDoor(house: House, device: Device): Promise<void> {
  const { home } = house;
  const id = await device.entity("door:cover");
  await device.ask("simulated.bottom", { pressed: 1 });
  await home.shows(id, "closed");
  await home.call("cover.open_cover", id);
  await device.ask("simulated.bottom", { pressed: 0 });
  await home.shows(id, "open");
  await home.call("cover.close_cover", id);
  await home.shows(id, "closing");
  await device.ask("simulated.bottom", { pressed: 1 });
  await home.shows(id, "closed");
}

export const covers: readonly HomeCase[] = [
  {
    name: "covers there and back",
    async run(house) {
      const device = await house.device({ nouns });
      await moveBlind(house, device);
      await moveAwning(house, device);
      await moveGate(house, device);
      await moveDoor(house, device);
      const classes: unknown[] = [];
      for (const noun of ["blind", "awning", "gate", "door"]) {
        classes.push(house.home.attribute(await device.entity(`${noun}:cover`), "device_class"));
      }
      mustEqual("the classes", classes, ["blind", "awning", "gate", "garage"]);
      return "four covers: positions, slats, stop, unknown, failed";
    },
  },
];
