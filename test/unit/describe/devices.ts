/** Devices to describe: the nouns of a configuration on simulated hardware, and three of an application. */
import { readFileSync } from "node:fs";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import { presentationOf } from "../../../ts/core/noun/description.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { Verb } from "../../../ts/core/noun/verb.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import type { DescribedDevice, DescribedNoun } from "../../../ts/parts/documents/describe/described-device.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { setAdc } from "../../../ts/program/testing/device-outside.ts";
import { parseJson } from "../../../ts/settings/json.ts";

export const allMethods: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** What is left out of a device under test. */
const plain: Omit<DescribedDevice, "nouns"> = {
  title: "relay-board",
  id: undefined,
  base: "http://192.0.2.7:8080/",
  version: "0.2.0+a52e1cc",
  model: "Raspberry Pi 4 Model B Rev 1.4",
  kernel: "6.1.0-50-armmp",
  demands: { tokens: false, hosts: false, origins: false },
  documents: [
    { path: "/.well-known/wot", type: "application/td+json", title: "Thing Description", hasTag: true },
    { path: "/openapi.json", type: "application/json", title: "OpenAPI description", hasTag: true },
    { path: "/metrics", type: "text/plain", title: "Metrics", hasTag: false },
  ],
  hasPage: true,
};

export function device(
  nouns: readonly DescribedNoun[],
  rest: Partial<DescribedDevice> = {},
): DescribedDevice & { readonly nouns: readonly DescribedNoun[] } {
  return { ...plain, ...rest, nouns };
}

/** @returns a document from its texts. */
export function wholeOf(texts: Iterable<string>): string {
  return Array.from(texts).join("");
}

export function described(name: string, noun: Noun, methods: readonly Verb[] = allMethods): DescribedNoun {
  const { shape, updateShape } = noun;
  return { ...presentationOf(noun), name, shape, updateShape, methods };
}

/** The nouns of examples/relay-board, one of every kind, each with its state or the promise of it. */
export function relayBoard(): { readonly noun: DescribedNoun; readonly state: unknown }[] {
  const text = readFileSync(new URL("../../../examples/relay-board/nound.json", import.meta.url), "utf8");
  beginProgram();
  setAdc("iio:device0", "voltage0", 2_048);
  const { nouns } = readConfiguration(parseJson(text));
  const store = new SimulatedStore();
  const report = (error: unknown) => {
    throw error;
  };
  return Array.from(nouns, ([name, plan]) => {
    const noun = plan.build({ name, openStore: () => store, report });
    const methods: readonly Verb[] = noun.settable === false ? ["GET", "DELETE"] : allMethods;
    return { noun: described(name, noun, methods), state: noun.getState() };
  });
}

/** Three nouns as an application has them. */
export function application(): DescribedNoun[] {
  const thermostat = defineNoun({
    title: "Thermostat",
    description: "Heats the hall.",
    shape: {
      target: { type: "number", minimum: 5, maximum: 30, unit: "Cel", title: "Wanted" },
      mode: { type: "choice", values: ["auto", "off", 7, null] },
      label: { type: "string", maximumLength: 2, optional: true },
      celsius: { type: "number", nullable: true, readOnly: true, unit: "Cel" },
    },
    default: { target: 20.5, mode: "auto" },
    get: () => ({ target: 20.5, mode: "auto", celsius: null }) as const,
    set: () => {},
  });
  return [
    described("hall.thermostat-1", thermostat),
    described("lamp~2", new SwitchNoun({ key: "lamp", values: [false, true] })),
    described("note", new ValueNoun()),
  ];
}
