/** What Home Assistant is told about a noun beside what its shape says. */

/**
 * Options of an entity, in the words of Home Assistant's MQTT integration, instead of those that follow from the shape.
 * `platform` makes it another kind of entity. False leaves it out.
 *
 * @example
 * const homeAssistant: HomeAssistantOptions = { device_class: "door" };
 * server.register("door", gpioInputNoun({ line: "GPIO27", key: "open", homeAssistant }));
 */
export type HomeAssistantOptions =
  | false
  | { readonly [option: string]: string | number | boolean | null | readonly string[] };

/** The kinds of entities that nouns and their keys become. */
export const homeAssistantPlatforms = [
  "binary_sensor",
  "button",
  "event",
  "light",
  "number",
  "select",
  "sensor",
  "switch",
  "text",
] as const;

/** A kind of entity. */
export type HomeAssistantPlatform = (typeof homeAssistantPlatforms)[number];
