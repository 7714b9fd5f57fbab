/** What Home Assistant is told about a noun beside what its shape says. */
import type { Scalar } from "./state.ts";

/**
 * Options of an entity, in the words of Home Assistant's MQTT integration, instead of those that follow from the shape.
 * `platform` makes it another kind of entity: the times of a noun with `"time"` are those that Home Assistant has since
 * 2026.4, otherwise texts. False leaves it out.
 *
 * @example
 * const level: KeyDescription = { title: "Level", homeAssistant: { icon: "mdi:waves" } };
 * server.register("tank", sensorNoun({ device: "ads1115", channel: "voltage0", key: "level", keys: { level } }));
 */
export type HomeAssistantEntity =
  | false
  | {
      readonly platform?: (typeof homeAssistantPlatforms)[number];
      readonly [option: string]: Scalar | readonly string[] | undefined;
    };

/**
 * A noun as one entity: which of its keys has which role. A role that is left out is found by itself. `current`,
 * `humidity` and `action` of a `climate` may be keys of another noun, `cellar/celsius`.
 *
 * @example
 * const homeAssistant: HomeAssistantThing = { platform: "fan", percentage: "percent", on: "enabled" };
 * server.register("fan", pwmNoun({ chip: "pwmchip0", channel: 0, frequency: 25_000, homeAssistant }));
 */
export type HomeAssistantThing<K extends string = string> = {
  readonly [option: string]: Scalar | readonly string[] | undefined;
} & (
  | ({ readonly platform: "light" } & {
      readonly [role in "on" | "brightness" | "red" | "green" | "blue" | "effect"]?: K;
    })
  | ({ readonly platform: "fan" } & { readonly [role in "on" | "percentage" | "preset"]?: K })
  | ({ readonly platform: "climate" } & { readonly [role in "target" | "mode" | "preset"]?: K } & {
      readonly [role in "current" | "humidity" | "action"]?: K | `${string}/${string}`;
    })
  | ({ readonly platform: "cover" } & { readonly [role in "position" | "tilt" | "open" | "state"]?: K })
  | ({ readonly platform: "valve" } & { readonly [role in "position" | "open"]?: K })
  | ({ readonly platform: "lock" } & { readonly [role in "locked"]?: K })
);

/**
 * What Home Assistant is told about a noun: options of the entity of its first key, or a whole thing. False leaves the
 * noun out.
 *
 * @example
 * const homeAssistant: HomeAssistantOptions = { device_class: "door" };
 * server.register("door", gpioInputNoun({ line: "GPIO27", key: "open", homeAssistant }));
 */
export type HomeAssistantOptions<K extends string = string> = HomeAssistantEntity | HomeAssistantThing<K>;

export const homeAssistantComponents = ["climate", "cover", "fan", "light", "lock", "valve"] as const;

/** The kinds of whole things. */
export type HomeAssistantComponent = (typeof homeAssistantComponents)[number];

/** The kinds of entities that keys become. */
export const homeAssistantPlatforms = [
  "binary_sensor",
  "button",
  "event",
  "light",
  "number",
  "scene",
  "select",
  "sensor",
  "switch",
  "text",
  "time",
] as const;

/** A kind of entity. */
export type HomeAssistantPlatform = (typeof homeAssistantPlatforms)[number] | HomeAssistantComponent;
