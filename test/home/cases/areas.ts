/** An area that is switched off: a person means its lamps. */
import { type HomeCase, mustEqual } from "../case.ts";

// biome-ignore lint/suspicious/noThenProperty: the word of a rule
const rule = { when: { cellar: { celsius: { below: 4, until: 6 } } }, then: { "PUT heater": { on: 1 } } };

export const areas: readonly HomeCase[] = [
  {
    name: "an area that is switched off ends no rule",
    async run(house) {
      const { home } = house;
      const device = await house.device({
        nouns: {
          cellar: { kind: "sensor", device: "28-0316a2796ee1" },
          heater: { kind: "gpio-output", line: "GPIO17", key: "on" },
          frost: { kind: "rule", ...rule },
        },
      });
      const heater = await device.entity("heater/on");
      await device.ask("heater", { on: 1 });
      await home.shows(heater, "on");
      const enabled = await device.entity("frost/enabled");
      await home.shows(enabled, "on");
      const area = await home.ask<{ area_id: string }>("config/area_registry/create", {
        name: `Cellar ${device.name}`,
      });
      const [known] = (await home.devices()).filter(({ identifiers }) =>
        identifiers.some(([, id]) => id === device.id),
      );
      await home.ask("config/device_registry/update", { device_id: known?.id, area_id: area.area_id });
      await home.call("switch.turn_off", { area_id: area.area_id });
      await home.shows(heater, "off");
      mustEqual("the rule's enabled", (await device.ask("frost"))["enabled"], true);
      const entities = await home.entities(device.id);
      const category = (place: string) =>
        entities.find(({ unique_id: id }) => id === `${device.id}/${place}`)?.entity_category;
      mustEqual("the categories", ["frost/enabled", "frost/holds"].map(category), ["config", "diagnostic"]);
      return "the lamp is off, the rule is enabled";
    },
  },
];
