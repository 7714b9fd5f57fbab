/** A device and a real broker, mosquitto, with a client that is not nound's. */
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { BrokerSite } from "../harness/broker-site.ts";
import type { Configuration } from "../harness/configuration.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, mosquittoMissing, OtherClient, retainedAt } from "../harness/mosquitto.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { processorTime, waits } from "../harness/process-status.ts";
import { judgesTime } from "../harness/waiting-time.ts";

const missing = mosquittoMissing();

const nouns: Configuration["nouns"] = {
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
  "relay.1": { kind: "switch", key: "on", values: [0, 1], default: 0 },
  note: { kind: "value", default: { text: "hé" } },
};

class Site extends BrokerSite {
  async client(broker: Mosquitto): Promise<OtherClient> {
    const client = await OtherClient.connect(broker.port);
    this.context.onTestFinished(() => client.end());
    return client;
  }

  device(broker: Mosquitto, mqtt: object = {}): Promise<NoundProcess> {
    return this.start(broker, { nouns }, mqtt);
  }

  /** A device with lines that are nouns, too. */
  simulated(broker: Mosquitto, configuration: object, mqtt: object): Promise<NoundProcess> {
    return this.start(broker, configuration, mqtt, ["--simulate"]);
  }
}

async function put({ address }: NoundProcess, noun: string, state: object): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://${address}/${noun}`, { method: "PUT", body: JSON.stringify(state), headers });
  return response.status;
}

async function get({ address }: NoundProcess, noun: string): Promise<string> {
  return await (await fetch(`http://${address}/${noun}`)).text();
}

describe.skipIf(missing !== undefined).concurrent(`a device at a broker (skipped: ${missing ?? "never here"})`, () => {
  test("publishes its states, takes commands, refuses what HTTP refuses, and says goodbye", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    // It was stored before the device came, so it is never executed.
    await client.publish("nound/hall/led/put", '{"led":1}', { retain: true });
    const device = await site.device(broker, { group: ["lamps"], may: "GET,PUT,POST,DELETE led,relay.*,note" });
    await client.hears("nound/hall", "online");
    expect(await get(device, "led")).toBe('{"led":0}');
    expect(client.latest("nound/hall/relay:1")).toBe('{"on":0}');
    expect(client.latest("nound/hall/note")).toBe('{"text":"hé"}');

    expect(await put(device, "led", { led: 1 })).toBe(200);
    await client.hears("nound/hall/led", '{"led":1}');
    await client.publish("nound/hall/led/delete", "");
    await client.hears("nound/hall/led", '{"led":0}');
    await client.publish("nound/lamps/relay:1/put", '{"on":1}');
    await client.hears("nound/hall/relay:1", '{"on":1}');
    await client.publish("nound/hall/note/post", '{"more":"ü"}', { qos: 0 });
    await eventually("the note has more", async () => (await get(device, "note")).includes("ü"));

    await client.publish("nound/hall/led/put", '{"led":7}');
    await eventually("the refusal comes", () => client.all("nound/hall/led/problem").length > 0);
    expect(JSON.parse(client.latest("nound/hall/led/problem") ?? "")).toMatchObject({ status: 422 });
    // Published with the retain flag while the device is there: it is not executed either, and the next command is.
    await client.publish("nound/hall/led/put", '{"led":1}', { retain: true });
    await client.publish("nound/hall/relay:1/put", '{"on":0}');
    await client.hears("nound/hall/relay:1", '{"on":0}');
    expect(await get(device, "led")).toBe('{"led":0}');

    const metrics = await get(device, "metrics");
    expect(metrics).toMatch(/^nound_mqtt_connected 1$/m);
    expect(metrics).toMatch(/^nound_mqtt_connects_total 1$/m);
    const { status, stdout, stderr } = await device.stop();
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr.match(/retained command is never executed/g)).toHaveLength(1);
    await client.hears("nound/hall", "offline");
  });

  test("has retained at the broker what GET gives, after many changes by both", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    const device = await site.device(broker);
    await client.hears("nound/hall", "online");
    for (let count = 0; count < 200; count++) {
      const value = count % 3 === 0 ? 1 : 0;
      if (count % 2 === 0) await put(device, "led", { led: value });
      else await client.publish("nound/hall/led/put", `{"led":${value}}`);
      await client.publish("nound/hall/note/put", `{"text":"${count}"}`, { qos: 0 });
    }
    await client.hears("nound/hall/note", '{"text":"199"}');
    await put(device, "led", { led: 1 });
    await client.hears("nound/hall/led", '{"led":1}');
    // The client may have heard of the lamp before the last command.
    await eventually("the broker has what GET gives", async () => {
      const retained = await retainedAt(broker.port);
      const states = await Promise.all(Object.keys(nouns).map((name) => get(device, name)));
      const topics = Object.keys(nouns).map((name) => `nound/hall/${name.replaceAll(".", ":")}`);
      return retained.get("nound/hall") === "online" && topics.every((topic, at) => retained.get(topic) === states[at]);
    });
  });

  test.for([
    ["without its database", []],
    ["with its database", ["persistence true", "autosave_interval 1"]],
  ] as const)("tells a broker that was killed everything again, %s", async ([, lines], context) => {
    const site = new Site(context);
    const broker = await site.broker(lines);
    const first = await OtherClient.connect(broker.port);
    const device = await site.device(broker);
    await first.hears("nound/hall", "online");
    await put(device, "led", { led: 1 });
    await first.hears("nound/hall/led", '{"led":1}');
    await first.end();
    await broker.stop("SIGKILL");
    await put(device, "relay.1", { on: 1 });
    await broker.start(lines);
    const client = await site.client(broker);
    await eventually("the device is back", async () => /^nound_mqtt_connected 1$/m.test(await get(device, "metrics")));
    await client.hears("nound/hall/relay:1", '{"on":1}');
    await client.hears("nound/hall/led", '{"led":1}');
    await client.hears("nound/hall", "online");
  });

  test("is not offline when another connection takes its session", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    const device = await site.device(broker);
    await client.hears("nound/hall", "online");
    const before = client.all("nound/hall").length;
    // The same client identifier, twice for a moment: each time the broker ends the device's connection.
    for (const count of [1, 2]) {
      const thief = await OtherClient.connect(broker.port, {
        clientId: "hall",
        clean: false,
        reconnectPeriod: 0,
        properties: { sessionExpiryInterval: 15 },
      });
      await thief.end();
      await eventually("it is online again", () => client.all("nound/hall").length >= before + count);
    }
    expect(client.all("nound/hall").slice(before)).not.toContain("offline");
    expect(device.printed).toMatch(/another client has (?:connected with )?the same id/);
  });

  test("serves while its broker is stopped, and tells it the last state", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    const device = await site.device(broker);
    await client.hears("nound/hall", "online");
    broker.signal("SIGSTOP");
    for (let count = 0; count < 100; count++) {
      expect(await put(device, "note", { text: `${count}` })).toBe(200);
      await delay(5);
    }
    broker.signal("SIGCONT");
    await client.hears("nound/hall/note", '{"text":"99"}');
  });

  const inputs = Array.from({ length: 8 }, (_, offset) => [
    `in${offset}`,
    { kind: "gpio-input", chip: "gpiochip0", offset, key: "on" },
  ]);

  test("sleeps while nothing happens", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    const device = await site.simulated(broker, { nouns: Object.fromEntries(inputs) }, { keepAlive: 60_000 });
    await client.hears("nound/hall", "online");
    await delay(3_000);
    const before = waits(device.pid);
    await delay(5_000);
    expect(waits(device.pid) - before).toBeLessThanOrEqual(2);
  });

  test.runIf(judgesTime)(
    "uses 20 µs a second for eight inputs at rest (judged by test:time)",
    async (context) => {
      const site = new Site(context);
      const broker = await site.broker();
      const client = await site.client(broker);
      const device = await site.simulated(broker, { nouns: Object.fromEntries(inputs) }, {});
      await client.hears("nound/hall", "online");
      await delay(3_000);
      const before = processorTime(device.pid);
      await delay(60_000);
      const used = ((processorTime(device.pid) - before) * 1_000) / 60;
      console.log(`eight inputs at rest use ${used.toFixed(1)} µs a second`);
      expect(used).toBeLessThanOrEqual(20);
    },
    90_000,
  );

  test("that listens on all addresses tells Home Assistant its page by mDNS", async (context) => {
    const site = new Site(context);
    const broker = await site.broker();
    const client = await site.client(broker);
    const address = await freeAddress();
    const port = address.slice(address.lastIndexOf(":"));
    const mqtt = { server: broker.address, id: "hall", homeAssistant: true };
    const file = configurationFile(JSON.stringify({ listen: `0.0.0.0${port}`, log: "errors", nouns, mqtt }));
    const device = new NoundProcess(["--config", file], address);
    context.onTestFinished(() => device.kill());
    await device.listening();
    await client.hears("nound/hall", "online");
    const [announced = ""] = [...(await retainedAt(broker.port))].flatMap(([topic, payload]) =>
      topic.startsWith("homeassistant/") ? [payload] : [],
    );
    const name = hostname();
    const page = /^[A-Za-z0-9-]+$/.test(name) ? { cu: `http://${name}.local${port}/` } : {};
    expect(JSON.parse(announced)).toMatchObject({ dev: page });
  });

  test("starts, serves and ends without a broker, and says why it has none", async (context) => {
    const site = new Site(context);
    const broker = await Mosquitto.start();
    await broker.stop();
    const device = await site.device(broker);
    expect(await put(device, "led", { led: 1 })).toBe(200);
    // qemu 7.2 passes the host's number of the error on, which MIPS does not have.
    const refused = new RegExp(`^mqtt: ${broker.address}: (?:Connection refused|No error information)$`, "gm");
    await eventually("it says why", () => refused.test(device.printed));
    expect(await device.stop()).toMatchObject({ status: 0, stdout: "" });
    expect(device.printed.match(refused)).toHaveLength(1);
  });

  test("is told which topic the broker refuses it", async (context) => {
    const site = new Site(context);
    const acl = ["topic readwrite end/#", "user hall", "topic read nound/#", "topic write nound/hall/led"];
    const path = temporaryPath("acl");
    writeFileSync(path, `${acl.join("\n")}\n`);
    const broker = await site.broker([`acl_file ${path}`]);
    const device = await site.device(broker, { user: "hall" });
    await eventually("it says which", () => device.printed.includes("mqtt nound/hall/relay:1: not authorized"));
    expect(device.printed).not.toContain("mqtt nound/hall/led: not authorized");
  });
});
