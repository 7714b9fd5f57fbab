/** Commands: messages that change nouns. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { DeferredNoun, promisesKept, RecordingNoun } from "../server/recording-noun.ts";
import { messages, TestDevice } from "./scripted-broker.ts";

const problemOf = (payload: string): unknown => (JSON.parse(payload) as { status: unknown }).status;

test.each([
  ["put", '{"led":1}', 'PUT {"led":1}', "PUT led 200"],
  ["post", '{"led":1}', 'POST {"led":1}', "POST led 200"],
  ["delete", "", "DELETE", "DELETE led 200"],
])("%s is performed, logged, and its state is published", (verb, payload, call, line) => {
  const noun = new RecordingNoun({ led: verb === "delete" ? 0 : 0 });
  const device = new TestDevice({ led: noun });
  const { broker } = device.connect();
  noun.calls.length = 0;
  broker.publish(`nound/hall/led/${verb}`, payload);
  expect(noun.calls).toEqual([call]);
  expect(device.log).toEqual([`broker.example:1883 ${line}`]);
  const published = messages(device.pass(broker, 2_000));
  expect(published).toEqual(verb === "delete" ? [] : [["nound/hall/led", '{"led":1}']]);
});

test("a command of QoS 1 is acknowledged once it has been performed", async () => {
  const noun = new DeferredNoun();
  const device = new TestDevice({ slow: noun }, { allows: (verb) => verb !== "GET" });
  const { broker } = device.connect();
  broker.publish("nound/hall/slow/put", "{}", { qos: 1, messageId: 77 });
  expect(broker.packets()).toEqual([]);
  await noun.begun[0]?.answer({});
  expect(broker.packets()).toMatchObject([{ cmd: "puback", messageId: 77, reasonCode: 0 }]);
});

test("a noun with a dot in its name is reached, and groups reach every noun", () => {
  const device = new TestDevice({ "relay.1": new SwitchNoun({ key: "on" }) }, { groups: ["lamps"] });
  const { broker } = device.connect();
  broker.publish("nound/hall/relay:1/put", '{"on":1}');
  expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/relay:1", '{"on":1}']]);
  broker.publish("nound/lamps/relay:1/put", '{"on":0}');
  expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/relay:1", '{"on":0}']]);
});

test("a command that was published with retain is never executed, and that is reported", () => {
  const noun = new RecordingNoun({});
  const device = new TestDevice({ led: noun });
  const { broker } = device.connect();
  noun.calls.length = 0;
  broker.publish("nound/hall/led/put", '{"led":1}', { retain: true, qos: 1, messageId: 5 });
  expect(noun.calls).toEqual([]);
  expect(broker.packets()).toMatchObject([{ cmd: "puback", messageId: 5 }]);
  expect(device.reports).toEqual([
    "mqtt message: ignored a message to nound/hall/led/put: it is retained, and a retained command is never executed",
  ]);
});

test("a topic of 65,000 characters is no command, makes no topic as long, and is reported in a short line", () => {
  const device = new TestDevice({ led: new RecordingNoun({}) });
  const { broker } = device.connect();
  for (const topic of [`nound/hall/${"x".repeat(65_000)}/put`, "y".repeat(65_500)]) {
    broker.publish(topic, "{}", { qos: 1, messageId: 9 });
    expect(broker.packets()).toMatchObject([{ cmd: "puback", messageId: 9 }]);
    expect(device.reports.at(-1)?.length).toBeLessThan(350);
    expect(device.reports.at(-1)).toMatch(
      /^mqtt message: ignored a message to (?:nound.hall.x+|y+): it is no command$/,
    );
  }
});

test.each(["nound/hall/led", "nound/hall/led/get", "nound/hall/led/put/x", "nound/other/led/put", "led/put"])(
  "%s is no command",
  (topic) => {
    const noun = new RecordingNoun({});
    const device = new TestDevice({ led: noun });
    const { broker } = device.connect();
    noun.calls.length = 0;
    broker.publish(topic, "{}");
    expect(noun.calls).toEqual([]);
    expect(device.reports).toEqual([`mqtt message: ignored a message to ${topic}: it is no command`]);
  },
);

describe("a command is refused by a problem document:", () => {
  const failing: Noun = Object.assign(new RecordingNoun({}), {
    setState: () => {
      throw new Error("broken");
    },
    updateState: () => {
      throw new StateError("not now");
    },
  });
  const readOnly: Noun = Object.assign(new RecordingNoun({}), { settable: false });
  const nouns = () => ({
    led: new SwitchNoun({ key: "led" }),
    failing,
    "read-only": readOnly,
    locked: new ValueNoun(),
    note: new ValueNoun(),
  });

  test.each([
    ["no noun", "none/put", "{}", 404],
    ["a verb that is not allowed", "locked/put", "{}", 403],
    ["a noun that is read-only", "read-only/put", "{}", 405],
    ["a body that is no JSON", "led/put", "on", 400],
    ["a body that is not UTF-8", "led/put", Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ["a body of DELETE", "led/delete", "{}", 400],
    ["a body that is too long", "note/put", `{"text":"${"x".repeat(60_000)}"}`, 413],
    ["a state of another shape", "led/put", '{"led":7}', 422],
    ["a noun's own refusal", "failing/post", "{}", 422],
    ["a noun that fails", "failing/put", "{}", 500],
  ])("%s", (_name, topic, payload, status) => {
    const device = new TestDevice(nouns(), { allows: (_verb, noun) => noun !== "locked" }, { bodyBytes: 40_000 });
    const { broker } = device.connect();
    broker.publish(`nound/hall/${topic}`, payload);
    const [problem] = broker.packets();
    expect(problem).toMatchObject({
      topic: `nound/hall/${topic.split("/")[0]}/problem`,
      qos: 0,
      retain: false,
    });
    expect(problemOf(String(problem?.["payload"]))).toBe(status);
    expect(device.log).toHaveLength(1);
  });

  test("a noun that does not answer in time", () => {
    const device = new TestDevice({ slow: new DeferredNoun() }, { allows: (verb) => verb !== "GET" });
    const { broker } = device.connect();
    broker.publish("nound/hall/slow/put", "{}");
    device.clock.advance(device.server.host.limits.nounTimeout);
    const [[, problem = ""] = []] = messages(broker.packets());
    expect(problemOf(problem)).toBe(503);
  });
});

describe("a noun that is slow", () => {
  test("lets eight commands wait; then nothing more is read until one has ended", async () => {
    const noun = new DeferredNoun();
    const device = new TestDevice({ slow: noun }, { allows: (verb) => verb !== "GET" });
    const { broker } = device.connect();
    for (let count = 0; count < 20; count++) broker.publish("nound/hall/slow/put", "{}");
    expect(broker.peer.beingRead).toBe(false);
    for (let count = 0; count < 20; count++) {
      await noun.begun[count]?.answer({});
      await promisesKept();
      broker.peer.deliver();
    }
    expect(noun.begun).toHaveLength(20);
    expect(device.log).toHaveLength(20);
    expect(broker.peer.beingRead).toBe(true);
  });

  test("does not keep a broker from being late: 20 s without an acknowledgement end the session, read or not", () => {
    const slow = new DeferredNoun();
    const nouns = { slow, led: new SwitchNoun({ key: "led" }) };
    const device = new TestDevice(nouns, { allows: (verb, noun) => verb !== "GET" || noun !== "slow" });
    const { broker } = device.connect();
    broker.publish("nound/hall/led/put", '{"led":1}');
    device.clock.advance(100);
    expect(messages(broker.packets())).toEqual([["nound/hall/led", '{"led":1}']]);
    for (let time = 100; time < 20_000; time += 1_000) {
      expect(broker.peer.released).toBe(false);
      for (let count = 0; count < 8; count++) broker.publish("nound/hall/slow/put", "{}");
      expect(broker.peer.beingRead).toBe(false);
      device.clock.advance(1_000);
    }
    expect(broker.peer.released).toBe(true);
  });

  test("performs no command of a connection that is lost, unless it has begun", async () => {
    const noun = new DeferredNoun();
    const device = new TestDevice({ slow: noun }, { allows: (verb) => verb !== "GET" });
    const { broker } = device.connect();
    for (let count = 0; count < 3; count++) broker.publish("nound/hall/slow/put", "{}");
    broker.peer.reset();
    await noun.begun[0]?.answer({});
    await promisesKept();
    expect(noun.begun).toHaveLength(1);
  });
});

test("commands that arrive together are performed in their order", () => {
  const noun = new RecordingNoun({});
  const device = new TestDevice({ led: noun });
  const { broker } = device.connect();
  noun.calls.length = 0;
  for (let n = 0; n < 10; n++) broker.publish("nound/hall/led/put", `{"n":${n}}`);
  expect(noun.calls).toEqual(Array.from({ length: 10 }, (_, n) => `PUT {"n":${n}}`));
});

test("a problem of the device itself is published as soon as the broker has accepted it", () => {
  const device = new TestDevice({});
  device.problem = '{"status":500,"title":"Internal Server Error","detail":"It went back."}';
  const { sent } = device.connect();
  const problem = '{"status":500,"title":"Internal Server Error","detail":"It went back.","instance":"/"}';
  expect(messages(sent)).toContainEqual(["nound/hall/:/problem", problem]);
});
