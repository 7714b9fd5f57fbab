/** Commands: messages that change nouns. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/noun/noun.ts";
import { StateError } from "../../../ts/noun/state-error.ts";
import { SwitchNoun } from "../../../ts/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/nouns/value-noun.ts";
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

test("a command from the broker's store is never executed, and that is reported", () => {
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
    device.clock.advance(device.server.limits.nounTimeout);
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

  test("and answers after 20 s does not end the connection, as nothing was read meanwhile", async () => {
    const noun = new DeferredNoun();
    const device = new TestDevice({ slow: noun }, { allows: (verb) => verb !== "GET" }, { nounTimeout: 600_000 });
    const { broker } = device.connect();
    for (let count = 0; count < 8; count++) broker.publish("nound/hall/slow/put", "{}");
    device.clock.advance(300_000);
    expect(broker.peer.released).toBe(false);
    await noun.begun[0]?.answer({});
    broker.peer.deliver();
    expect(broker.packets().filter(({ cmd }) => cmd === "pingreq")).toHaveLength(1);
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
