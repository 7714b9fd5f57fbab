/** What names a device changes, or is another device's too. */
import { randomUUID } from "node:crypto";
import { temporaryPath } from "../../harness/nound-process.ts";
import { type HomeCase, mustEqual } from "../case.ts";
import { type Home, type Registered, until } from "../home.ts";
import type { Device } from "../house.ts";
import { newest } from "../installation.ts";

const nouns = { lamp: { kind: "switch", key: "on" }, door: { kind: "switch", key: "open" } };

/** @returns the ids of entities, without those of device triggers and problems. */
async function entityIds(home: Home, device: Device): Promise<readonly string[]> {
  return (await home.entities(device.id)).map(({ entity_id: id }) => id).sort();
}

/** Waits until the lamp follows the device. */
async function follows(home: Home, device: Device, lamp: string): Promise<void> {
  for (const on of [1, 0]) {
    await device.ask("lamp", { on });
    await home.shows(lamp, on === 1 ? "on" : "off");
  }
}

export const identities: readonly HomeCase[] = [
  {
    name: "with another mqtt.id, a device keeps its entities",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns });
      const lamp = await device.entity("lamp/on");
      const before = await entityIds(home, device);
      const said = home.log.length;
      await device.restart({ mqtt: { id: `${device.name}new` } });
      await device.connected();
      await follows(home, device, lamp);
      mustEqual("the entities", await entityIds(home, device), before);
      mustEqual("the log", home.complaints(/unique ID/i, said), []);
      return `${before.length} entities stay`;
    },
  },
  {
    name: "with another title and no id, a device stays the same one",
    async run(house) {
      const { home } = house;
      const before = (await home.devices()).length;
      const named = { nouns, id: undefined, mqtt: { id: undefined } };
      const device = await house.begin({ ...named, title: "First" });
      const isThere = (name: string) => async () => (await home.devices()).some((one) => one.name === name);
      await until("the device is there", isThere("First"));
      await device.restart({ ...named, title: "Second" });
      await until("the device has its new name", isThere("Second"));
      mustEqual("the devices", (await home.devices()).length, before + 1);
      return "one device";
    },
  },
  {
    name: "with another UUID, a device takes its entities along",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns, isReal: true, stateDirectory: temporaryPath("states") });
      const before = await entityIds(home, device);
      const lamp = await device.entity("lamp/on");
      const devices = (await home.devices()).length;
      await device.restart({ id: randomUUID() });
      await device.connected();
      await follows(home, device, lamp);
      await home.stop();
      await home.run();
      await until("the lamp is back", () => home.state(lamp) === "off");
      mustEqual("the entities", await entityIds(home, device), before);
      mustEqual("the devices", (await home.devices()).length, devices);
      return `${before.length} entities have their ids, also after a restart of Home Assistant`;
    },
  },
  {
    name: "with another name, a noun is another entity, and nothing is left over",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns });
      const lamp = await device.entity("lamp/on");
      await home.shows(lamp, "off");
      // The oldest version keeps what is disabled.
      const isJudged = ({ disabled_by: by }: Registered) => home.version === newest || by === null;
      const places = async () =>
        (await home.entities(device.id))
          .filter(isJudged)
          .map(({ unique_id: id }) => id)
          .sort();
      const before = await places();
      await device.restart({ nouns: { light: nouns.lamp, door: nouns.door } });
      const light = await device.entity("light/on");
      await home.shows(light, "off");
      const expected = before.map((place) => place.replace("/lamp", "/light")).sort();
      await until(
        "what had the old name is gone",
        async () => JSON.stringify(await places()) === JSON.stringify(expected),
        async () => `${await places()}`,
      );
      await home.shows(lamp, undefined);
      await device.restart({ nouns });
      await home.shows(await device.entity("lamp/on"), "off");
      await until("all is as before", async () => JSON.stringify(await places()) === JSON.stringify(before));
      return `${lamp}, ${light}, and back`;
    },
  },
  {
    name: "two devices of one UUID say so in both logs",
    async run(house) {
      const one = await house.device({ nouns });
      await one.connected();
      const other = await house.begin({ nouns, id: one.id });
      await other.connected();
      const says = ({ process: { printed } }: Device) => /another device announces itself by the id/.test(printed);
      await one.restart();
      await until(
        "both logs say so",
        () => says(one) && says(other),
        () => [one, other].map(({ process: { printed } }) => printed).join(),
      );
      return "both logs";
    },
  },
];
