/** The broker of a configuration. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";

const read = (mqtt: Json) => readConfiguration({ mqtt, nouns: { led: { kind: "switch", key: "led" } } }).mqtt;

test("a broker alone is enough", () => {
  expect(read({ server: "broker.example:1883" })).toEqual({ server: ["broker.example:1883"] });
});

test("everything that is given is read", () => {
  const given = {
    server: [
      "192.0.2.10:1883",
      "[2001:db8::1]:1883",
      "unix:/run/mosquitto/nound.sock",
      "mqtt://a:1",
      "mqtts://broker.example",
      "mqtts://[::1]:8883",
    ],
    tls: {
      authorities: "/a.pem",
      certificate: "/c.pem",
      key: "/k.pem",
      server: "192.0.2.1",
      alpn: ["x-amzn-mqtt-ca"],
      keys: ["0F".repeat(32)],
    },
    id: "hall_1-A",
    user: "hall",
    password: "/etc/nound/mqtt-password",
    prefix: "home/first-floor",
    group: ["lamps", "all"],
    may: "GET,PUT led,relay.*",
    keepAlive: 60_000,
    startDelay: 0,
    interval: 0,
    homeAssistant: "home/discovery",
  };
  const { startDelay: spread, tls, ...rest } = given;
  const { server: name, ...files } = tls;
  const plan = { ...rest, spread, tls: { ...files, name } };
  expect(read(given)).toEqual(plan);
  expect(read({ ...given, homeAssistant: true })).toEqual({ ...plan, homeAssistant: true });
});

test("the template of a fleet spreads its devices over 10 s or more", () => {
  const template = readFileSync("examples/fleet/template.json", "utf8").replaceAll("@NAME@", "dev-0123456789ab");
  expect(readConfiguration(JSON.parse(template)).mqtt?.spread).toBeGreaterThanOrEqual(10_000);
});

test.each<[string, Json]>([
  ["startDelay", 600_001],
  ["startDelay", 0.5],
  ["broker", "mosquitto"],
  ["broker", "mosquitto:0"],
  ["broker", "mosquitto:65536"],
  ["broker", "tls://mosquitto:1883"],
  ["broker", "mqtts://mosquitto:0"],
  ["broker", "mqtts://"],
  ["broker", "mqtts://mosquitto/a"],
  ["tls", { key: "/etc/nound/key.pem" }],
  ["tls", { keys: ["ab"] }],
  ["tls", { alpn: ["a,b"] }],
  ["tls", { server: "a b" }],
  ["tls", { verify: false }],
  ["broker", "user@mosquitto:1883"],
  ["broker", "unix:run/mosquitto.sock"],
  ["broker", `unix:/${"a".repeat(107)}`],
  ["broker", `${"a".repeat(254)}:1883`],
  ["id", ""],
  ["id", "a.b"],
  ["id", "a/b"],
  ["id", "a".repeat(65)],
  ["password", "secret"],
  ["prefix", ""],
  ["prefix", "/nound"],
  ["prefix", "$SYS"],
  ["prefix", "a/+/b"],
  ["prefix", "a/b/c/d/e/f"],
  ["prefix", "a".repeat(101)],
  ["group", []],
  ["group", Array.from({ length: 15 }, (_, index) => `g${index}`)],
  ["may", "PUT"],
  ["may", "put *"],
  ["may", "PATCH *"],
  ["keepAlive", 60],
  ["keepAlive", 1_200_001],
  ["interval", -1],
  ["interval", 60_001],
  ["homeassistant", true],
  ["homeAssistant", 1],
  ["homeAssistant", "a/"],
])("refuses %s %j", (key, value) => {
  const given = key === "broker" ? {} : { server: "mosquitto:1883" };
  expect(() => read({ ...given, [key]: value })).toThrow(`$.mqtt.${key}`);
});
