/** Makes nouns of a configuration of MQTT IO. Its reference is docs/config/reference of flyte/mqtt-io. */

import { isIP } from "node:net";
import { defined, keyOf, nameOf, numberIn } from "../modbus/nouns.mjs";
import { addressOf, sensorOf } from "./sensors.mjs";

/** The expanders that Linux has a driver for: the label of the chip, and the line in the Pi's config.txt. */
const expanders = {
  pcf8574: ["pcf8574", "dtoverlay=pcf857x,pcf8574"],
  pcf8575: ["pcf8575", "dtoverlay=pcf857x,pcf8575"],
  mcp23017: ["mcp23017", "dtoverlay=mcp23017,noints"],
};

/** The first levels of topics, as nound has them. */
const fitPrefix = /^(?=.{1,100}$)[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+){0,4}$/;

const listOf = (value) => (Array.isArray(value) ? value.filter((one) => one !== null && typeof one === "object") : []);
const textOf = (value) => (typeof value === "string" && value !== "" ? value : undefined);
/** @returns a whole number within bounds; undefined of anything else. */
function wholeIn(value, least, most) {
  const number = numberIn(value);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** @returns what a person knows an entry by. */
const called = (text) => textOf(text) ?? (numberIn(text) === undefined ? "without a name" : String(text));
const noModule = (name) => (name === undefined ? "it names no module" : `no module is called ${JSON.stringify(name)}`);

/** What is converted: it collects nouns, what was left out with the reason, and what a person does. */
class Conversion {
  nouns = {};
  left = [];
  steps = new Set();

  /** @returns a name that no noun has yet. */
  nameFor(text) {
    const wanted = nameOf(String(textOf(text) ?? numberIn(text) ?? "noun"));
    let name = wanted;
    for (let number = 2; Object.hasOwn(this.nouns, name); number++) name = `${wanted}-${number}`;
    return name;
  }

  leaveOut(what, why) {
    this.left.push(`${what}: ${why}`);
  }

  needOverlay(line) {
    this.steps.add(`add the line ${line} to the Pi's config.txt (docs/hardware.md)`);
  }
}

/** @returns where a line is; undefined if nound cannot know it, which is told. */
function placeOf(conversion, modules, what, { module: name, pin }) {
  const module = modules.get(name);
  const number = wholeIn(pin, 0, 65_535);
  const leave = (why) => conversion.leaveOut(what, why);
  if (module === undefined) return leave(noModule(name));
  if (module.module === "gpiod" && number !== undefined)
    return { chip: textOf(module.chip) ?? "gpiochip0", offset: number };
  if (module.module === "raspberrypi" && number !== undefined) return { line: `GPIO${number}` };
  const [label, overlay] = expanders[module.module] ?? [];
  if (label !== undefined && number !== undefined) {
    conversion.needOverlay(overlay + addressOf(module.chip_addr));
    return { chip: label, offset: number };
  }
  if (number === undefined) return leave(`nound knows no pin ${called(pin)}; \`nound --find\` prints the lines`);
  return leave(
    `nound has no module ${called(module.module)}; \`nound --find\` prints the lines that Linux has a driver for`,
  );
}

/** What both directions have. */
function commonOf({ inverted, ha_discovery: discovery }) {
  return { activeLow: inverted === true || undefined, title: textOf(discovery?.name) };
}

function inputOf(input) {
  const bounce = wholeIn(input.bouncetime, 1, 10_000);
  const bias = input.pullup === true ? "pull-up" : input.pulldown === true ? "pull-down" : undefined;
  const deviceClass = textOf(input.ha_discovery?.device_class);
  return {
    ...{ key: "on", edges: "both", bias, deviceClass },
    ...(bounce !== undefined && { debounce: bounce }),
  };
}

function outputOf(output, what, conversion) {
  const isInverted = output.inverted === true;
  const isHigh = output.initial === "high";
  const pulse = wholeIn(output.timed_set_ms, 1, 86_400_000);
  const isOn = output.initial === undefined ? false : isHigh !== isInverted;
  if (pulse !== undefined && isOn) conversion.steps.add(`look at ${what}: a pulse returns to its default, which is on`);
  return { key: "on", ...(isOn && { default: 1 }), ...(pulse !== undefined && { pulse }) };
}

/** Adds a noun for each line of a direction. */
function addLines(conversion, modules, entries, kind, optionsOf) {
  for (const entry of entries) {
    const what = `${kind === "gpio-input" ? "the input" : "the output"} ${called(entry.name)}`;
    const place = placeOf(conversion, modules, what, entry);
    if (place === undefined) continue;
    const options = { kind, ...place, ...commonOf(entry), ...optionsOf(entry, what, conversion) };
    conversion.nouns[conversion.nameFor(entry.name)] = defined(options);
  }
}

/** Adds one noun for all that is read of a sensor. */
function addSensors(conversion, modules, inputs) {
  for (const [name, module] of modules) {
    const own = inputs.filter((input) => input.module === name);
    if (own.length === 0) continue;
    const what = `the sensor ${called(name)}`;
    const found = sensorOf(module);
    if (found.why !== undefined) {
      conversion.leaveOut(what, found.why);
      continue;
    }
    if (found.overlay !== undefined) conversion.needOverlay(found.overlay);
    if (found.step !== undefined) conversion.steps.add(found.step);
    const keys = new Map();
    for (const input of own) {
      const channel = found.channelOf(input);
      if (channel === undefined)
        conversion.leaveOut(`${called(input.name)} of ${what}`, "the chip's driver has no such value");
      else if (!Array.from(keys.values()).some((one) => one.channel === channel))
        keys.set(keyOf(textOf(input.name) ?? channel), { channel });
    }
    if (keys.size === 0) continue;
    const place = { kind: "sensor", device: found.device };
    const [[key, { channel }]] = keys;
    const isSingle = keys.size === 1;
    const label = isSingle ? key : name;
    conversion.nouns[conversion.nameFor(label)] = defined(
      isSingle
        ? { ...place, channel: channel === "" ? undefined : channel, key: "value" }
        : { ...place, keys: Object.fromEntries(keys) },
    );
  }
  for (const { name, module } of inputs)
    if (!modules.has(module)) conversion.leaveOut(`the sensor ${called(name)}`, noModule(module));
}

/** @returns whether Home Assistant is told of the device, or below which prefix, if that is not Home Assistant's own. */
function discoveryOf(conversion, discovery) {
  if (discovery?.enabled !== true) return undefined;
  const prefix = textOf(discovery.prefix)?.replace(/\/$/, "") ?? "homeassistant";
  if (fitPrefix.test(prefix)) return prefix === "homeassistant" ? true : prefix;
  conversion.leaveOut(`the prefix ${prefix} of Home Assistant`, "it has more than A-Z a-z 0-9 _ - /");
  return true;
}

/** @returns the broker's part of the configuration. */
function brokerOf(conversion, mqtt) {
  const given = textOf(mqtt.host) ?? "localhost";
  const isAddress = isIP(given) !== 0 && !given.includes("%");
  const isHost = isAddress || /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?$/.test(given);
  const host = isHost ? given : "localhost";
  if (host !== given) conversion.leaveOut("the broker's host", "it is neither a name nor an address");
  const isSecret = mqtt.tls?.enabled === true;
  const named = wholeIn(mqtt.port, 1, 65_535);
  if (named === undefined && mqtt.port !== undefined && mqtt.port !== null)
    conversion.leaveOut(`the broker's port ${JSON.stringify(mqtt.port)}`, "it is no number from 1 to 65535");
  const port = named ?? (isSecret ? 8883 : 1883);
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const prefix = textOf(mqtt.topic_prefix)?.replace(/^\/|\/$/g, "");
  const isFit = prefix !== undefined && fitPrefix.test(prefix);
  if (prefix !== undefined && !isFit) conversion.leaveOut(`the prefix ${prefix}`, "it has more than A-Z a-z 0-9 _ - /");
  const id = textOf(mqtt.client_id);
  const password = textOf(mqtt.password);
  if (password !== undefined)
    conversion.steps.add("write the broker's password into /etc/nound/mqtt-password, which only nound may read");
  const authorities = textOf(mqtt.tls?.ca_certs);
  if (isSecret && authorities === undefined)
    conversion.steps.add('name the authorities of the broker as "authorities" in "tls" (docs/security.md)');
  const path = (text) => (text?.startsWith("/") ? text : undefined);
  const tls = isSecret
    ? defined({ authorities: path(authorities), certificate: path(mqtt.tls.certfile), key: path(mqtt.tls.keyfile) })
    : {};
  conversion.steps.add(
    "change what publishes and subscribes: the topics of nound end with the noun's name, and a state is JSON such as " +
      '{"on":1} (docs/home-assistant.md)',
  );
  return defined({
    server: isSecret ? `mqtts://${address}` : address,
    id: id !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined,
    user: textOf(mqtt.user),
    password: password === undefined ? undefined : "/etc/nound/mqtt-password",
    prefix: isFit ? prefix : undefined,
    tls: Object.keys(tls).length > 0 ? tls : undefined,
    homeAssistant: discoveryOf(conversion, mqtt.ha_discovery),
    may: "* *",
  });
}

/**
 * @param file what the file says.
 * @returns a configuration of nound; what was `left` out, each with its reason; the `steps` that a person does, as
 *   sentences.
 */
export function configurationOf(file) {
  const conversion = new Conversion();
  const named = (list) => new Map(listOf(list).map((one) => [one.name, one]));
  const gpio = named(file?.gpio_modules);
  addLines(conversion, gpio, listOf(file?.digital_inputs), "gpio-input", inputOf);
  addLines(conversion, gpio, listOf(file?.digital_outputs), "gpio-output", outputOf);
  addSensors(conversion, named(file?.sensor_modules), listOf(file?.sensor_inputs));
  for (const { name } of listOf(file?.stream_modules))
    conversion.leaveOut(
      `the stream ${called(name)}`,
      "nound has no streams of bytes; a noun in TypeScript can open a serial line",
    );
  const broker = file?.mqtt === null || typeof file?.mqtt !== "object" ? undefined : brokerOf(conversion, file.mqtt);
  const configuration = { listen: "127.0.0.1:8080", ...(broker && { mqtt: broker }), nouns: conversion.nouns };
  return { configuration, left: conversion.left, steps: Array.from(conversion.steps) };
}
