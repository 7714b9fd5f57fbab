/** The setting of what Home Assistant is told about a noun or a key. */
import {
  type HomeAssistantOptions,
  type HomeAssistantPlatform,
  homeAssistantComponents,
  homeAssistantPlatforms,
} from "../core/noun/home-assistant.ts";
import type { Scalar } from "../core/noun/state.ts";
import { listOf } from "./record.ts";
import { choice, either, isList, isObject, keyPath, Mistakes, refuse, type Setting, scalar, text } from "./setting.ts";

const expected = "false, or an object of Home Assistant's options";

/** An option's name, in full: Home Assistant has short ones, too. */
const optionName = /^[a-z][a-z_]{0,63}$/;

/** Options that nound sets itself, because others would detach the entity. */
const own = ["availability", "component", "unique_id"];

function option(): Setting<Scalar | readonly string[]> {
  const single = scalar();
  return either(`${single.expected}, or a list of strings`, single, listOf(text()), (value) => !isList(value));
}

/** Of a key: false, or an object: `{ "device_class": "door" }`. */
export const homeAssistantOfKey = () => optionsWith(choice(...homeAssistantPlatforms));

/** Of a noun, which may be a whole thing: `{ "platform": "fan" }`. */
export const homeAssistantOptions = () =>
  optionsWith(choice(...new Set([...homeAssistantPlatforms, ...homeAssistantComponents])));

function optionsWith(platform: Setting<HomeAssistantPlatform>): Setting<HomeAssistantOptions> {
  const value = option();
  const settingOf = (name: string): Setting<Scalar | readonly string[]> => (name === "platform" ? platform : value);
  return {
    expected,
    schema: () => ({
      anyOf: [
        { const: false },
        {
          type: "object",
          properties: { platform: platform.schema() },
          propertyNames: { pattern: optionName.source },
          additionalProperties: value.schema(),
        },
      ],
    }),
    read(given, path) {
      if (given === false) return false;
      if (!isObject(given)) return refuse(given, path, expected);
      const mistakes = new Mistakes();
      const entries = Object.entries(given).map(([name, inner]): [string, Scalar | readonly string[] | undefined] => {
        const place = keyPath(path, name);
        if (!optionName.test(name) || own.includes(name)) {
          mistakes.add(place, "expected an option of Home Assistant that is not nound's, such as device_class");
        }
        return [name, mistakes.attempt(() => settingOf(name).read(inner, place))];
      });
      return mistakes.finish(Object.fromEntries(entries) as HomeAssistantOptions);
    },
  };
}
