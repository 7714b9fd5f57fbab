/** What the stock program makes of `mqtt` in its configuration. */
import { beforeEach, describe, expect, test } from "vitest";
import { oraclePackets, written } from "../mqtt/oracle.ts";
import { BrokerEnd, messages } from "../mqtt/scripted-broker.ts";
import { TestPlatform } from "./test-platform.ts";

const file = "/etc/nound/mqtt-password";
let program: TestPlatform;

function configure(mqtt: object, more: object = {}): void {
  program.files.set("n.json", JSON.stringify({ ...more, mqtt, nouns: { led: { kind: "switch", key: "led" } } }));
}

beforeEach(() => {
  program = new TestPlatform();
  program.files.set("/etc/machine-id", `${"0123456789abcdef".repeat(2)}\n`).set(file, "secret\n");
});

/** Lets the program connect. @returns its CONNECT. */
function connected(): object | undefined {
  program.clock.advance(10_000);
  const [packet] = oraclePackets(program.connector.accept().received);
  return packet;
}

test("without the file of its password it connects to no broker, serves its nouns, and says why", async () => {
  program.files.delete(file);
  configure({ server: "a:1883", id: "hall", user: "hall", password: file });
  await program.run("-c", "n.json");
  expect(program.connector.targets).toBeUndefined();
  expect(program.open.size).toBe(1);
  expect(program.error).toContain(`mqtt: cannot read ${file}: there is no such file; nound connects to no broker`);
});

test("a configuration without a broker starts no connector", async () => {
  program.files.set("n.json", '{"nouns":{"led":{"kind":"switch","key":"led"}}}');
  await program.run("-c", "n.json");
  expect(program.connector.targets).toBeUndefined();
});

test("the connector is started with the brokers, before rights are given up", async () => {
  configure({ server: ["a:1883", "unix:/run/b.sock"], id: "hall" });
  await program.run("-c", "n.json");
  expect(program.connector.targets).toEqual(["a:1883", "unix:/run/b.sock"]);
  expect(connected()).toMatchObject({ cmd: "connect", clientId: "hall" });
});

test("user and password go to the broker, the password without its line's end", async () => {
  configure({ server: "a:1883", id: "hall", user: "hall", password: file });
  await program.run("-c", "n.json");
  expect(program.trustDemands.get(file)).toBe("always");
  expect(connected()).toMatchObject({ username: "hall", password: Buffer.from("secret") });
});

test("without an id, it is made from the host's name and the device's id", async () => {
  configure({ server: "a:1883" }, { id: "7A1C0F4E-0f3b-4c59-9d3e-5a0f3b1c2d4e" });
  await program.run("-c", "n.json");
  expect(connected()).toMatchObject({ clientId: expect.stringMatching(/^[A-Za-z0-9_-]+-7a1c0f4e$/) });
  program = new TestPlatform();
  program.files.set("/etc/machine-id", `${"0123456789abcdef".repeat(2)}\n`);
  configure({ server: "a:1883" });
  await program.run("-c", "n.json");
  expect(connected()).toMatchObject({ clientId: expect.stringMatching(/^[A-Za-z0-9_-]+-[0-9a-f]{8}$/) });
});

test.each([
  [true, "homeassistant"],
  ["home/a", "home/a"],
])("with homeAssistant %j the broker is asked for what it has stored of the device", async (homeAssistant, prefix) => {
  configure({ server: "a:1883", id: "hall", homeAssistant }, { title: "Hall" });
  await program.run("-c", "n.json");
  program.clock.advance(10_000);
  const broker = program.connector.accept();
  broker.send(written({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: {} }));
  expect(broker.received).toContain(`${prefix}/device/hall/config`);
});

test.each<[object, string | undefined]>([
  [{ listen: ["127.0.0.1:8080", "192.0.2.7:80"] }, "http://192.0.2.7:80/"],
  [{ listen: ["unix:/run/n.sock", "127.0.0.1:8080"] }, undefined],
  [{ listen: "192.0.2.7:80", url: "https://hall.example/" }, "https://hall.example/"],
])("Home Assistant gets the first address that it can reach: %j", async (more, url) => {
  configure({ server: "a:1883", id: "hall", homeAssistant: true }, more);
  await program.run("-c", "n.json");
  program.clock.advance(10_000);
  const broker = new BrokerEnd(program.connector.accept());
  broker.packets();
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: {} });
  const [[, message] = []] = messages(broker.settle());
  expect(JSON.parse(message ?? "")).toMatchObject({ dev: { ids: expect.anything() } });
  expect(/"cu":"([^"]*)"/.exec(message ?? "")?.[1]).toBe(url);
});

describe("--check", () => {
  test.each([
    ["192.0.2.10:1883", true],
    ["broker.example:1883", true],
    ["127.0.0.1:1883", false],
    ["[::1]:1883", false],
    ["localhost:1883", false],
    ["unix:/run/mosquitto.sock", false],
    ["mqtt://broker.example", true],
    ["mqtts://broker.example", false],
  ])("says of a password for %s whether it would leave the device unencrypted: %s", async (broker, leaves) => {
    configure({ server: broker, id: "hall", user: "hall", password: file });
    await program.run("--check", "-c", "n.json");
    expect(program).toMatchObject({ error: "", statuses: [0] });
    expect(program.output.includes(`the password for ${broker} leaves this device unencrypted`)).toBe(leaves);
    expect(program.connector.targets).toBeUndefined();
  });

  test("refuses a device whose id cannot be made", async () => {
    program.files.delete("/etc/machine-id");
    configure({ server: "a:1883" });
    await program.run("--check", "-c", "n.json");
    expect(program).toMatchObject({
      error: "nound: n.json: mqtt.id is missing, and this device has no id to make it from\n",
      statuses: [78],
    });
  });

  test("refuses a group with the device's own id", async () => {
    configure({ server: "a:1883", id: "hall", group: ["hall"] });
    await program.run("--check", "-c", "n.json");
    expect(program).toMatchObject({ statuses: [78] });
  });

  test("tells of a password file that is not there, and refuses nothing", async () => {
    program.files.delete(file);
    configure({ server: "a:1883", id: "hall", password: file });
    await program.run("--check", "-c", "n.json");
    expect(program).toMatchObject({ statuses: [0], error: "" });
    expect(program.output).toContain(file);
  });
});
