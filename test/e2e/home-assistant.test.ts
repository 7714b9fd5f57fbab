/**
 * The calls of Home Assistant's integrations `switch.rest`, `sensor.rest`, `rest` and `rest_command`, for
 * configurations in YAML.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missing, python, run } from "../harness/client-program.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

const nound = forAllTests(() => startNound({ nouns }));
const reason = missing(python, "-c", "import aiohttp, jinja2, yaml");

/** @returns what each step came to. */
async function act(yaml: string, ...steps: readonly (readonly unknown[])[]): Promise<{ [name: string]: unknown }[]> {
  const file = temporaryPath("configuration.yaml");
  writeFileSync(file, yaml.replaceAll("ADDRESS", nound().address));
  const script = join(import.meta.dirname, "python", "home_assistant.py");
  return JSON.parse(await run(python, [script, file], JSON.stringify(steps))) as { [name: string]: unknown }[];
}

const turns = [
  ["switch", "Led", "turn_on"],
  ["switch", "Led", "turn_on"],
  ["switch", "Led", "update"],
  ["switch", "Led", "turn_off"],
  ["switch", "Led", "turn_off"],
  ["switch", "Led", "update"],
] as const;

function switchWith(more: string): string {
  return `
switch:
  - platform: rest
    name: Led
    resource: http://ADDRESS/led
${more}
`;
}

describe.skipIf(reason !== undefined)(`Home Assistant${reason ?? ""}`, () => {
  test.each(["post", "put"])(
    "a switch with the method %s ends where it was told to, told once or twice",
    async (method) => {
      const yaml = switchWith(`
    method: ${method}
    body_on: '{"led":1}'
    body_off: '{"led":0}'
    is_on_template: "{{ value_json.led == 1 }}"
    headers:
      Content-Type: application/json
      X-Requested-By: "{{ 'home' ~ ' assistant' }}"`);
      expect(await act(yaml, ...turns)).toEqual([
        { status: 200, text: '{"led":1}' },
        { status: 200, text: '{"led":1}' },
        { status: 200, is_on: true },
        { status: 200, text: '{"led":0}' },
        { status: 200, text: '{"led":0}' },
        { status: 200, is_on: false },
      ]);
    },
  );

  test("a switch with the default method and bodies that are states ends where it was told to", async () => {
    const yaml = switchWith(`
    body_on: '{"led":1}'
    body_off: '{"led":0}'
    headers:
      Content-Type: application/json`);
    const outcomes = await act(yaml, ...turns);
    expect(outcomes.map(({ is_on }) => is_on)).toEqual([undefined, undefined, true, undefined, undefined, false]);
  });

  test("a sensor reads a key of a noun, and others as its attributes", async () => {
    const yaml = `
sensor:
  - platform: rest
    name: Number
    resource: http://ADDRESS/still
    value_template: "{{ value_json.n }}"
    unit_of_measurement: mm
    json_attributes: [s, b, none]
`;
    expect(await act(yaml, ["sensor", "Number"])).toEqual([
      { status: 200, state: "1.5", unit: "mm", attributes: { s: "x", b: true } },
    ]);
  });

  test("one request to / serves several sensors", async () => {
    const yaml = `
rest:
  - resource: http://ADDRESS/
    scan_interval: 10
    sensor:
      - name: Number
        value_template: "{{ value_json.still.n }}"
    binary_sensor:
      - name: Lit
        value_template: "{{ value_json.led.led }}"
`;
    expect(await act(yaml, ["rest", "Number"], ["rest", "Lit"])).toMatchObject([
      { status: 200, state: "1.5" },
      { status: 200, state: "0" },
    ]);
  });

  test("a command puts what its payload's template says, posts it, and deletes", async () => {
    const yaml = `
rest_command:
  write:
    url: "http://ADDRESS/{{ noun }}"
    method: put
    content_type: application/json
    payload: '{"text":"{{ text }}"}'
  switch:
    url: http://ADDRESS/led
    method: post
    headers:
      content-type: application/json
    payload: '{"led":1}'
  reset:
    url: http://ADDRESS/led
    method: delete
  read:
    url: http://ADDRESS/led
  untyped:
    url: http://ADDRESS/led
    method: put
    payload: '{"led":1}'
`;
    const outcomes = await act(
      yaml,
      ["rest_command", "write", { noun: "note", text: "5 µm" }],
      ["rest_command", "switch"],
      ["rest_command", "switch"],
      ["rest_command", "read"],
      ["rest_command", "reset"],
      ["rest_command", "untyped"],
    );
    expect(outcomes.slice(0, 5)).toEqual([
      { status: 200, text: '{"text":"5 µm"}' },
      { status: 200, text: '{"led":1}' },
      { status: 200, text: '{"led":1}' },
      { status: 200, text: '{"led":1}' },
      { status: 200, text: '{"led":0}' },
    ]);
    expect(outcomes[5]?.["status"]).toBe(415);
  });
});
