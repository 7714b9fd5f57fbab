/** The packets of a client: the oracle reads what was to be written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  pingreq,
  writeConnect,
  writeDisconnect,
  writePuback,
  writePublish,
  writeSubscribe,
} from "../../../ts/parts/mqtt/packet-writer.ts";
import { oraclePackets } from "./oracle.ts";

const text = fc.string({ unit: "binary", maxLength: 40 }).map((one) => one.replaceAll("\0", "").toWellFormed());
const word = text.filter((one) => one !== "");
const topic = word.map((one) => one.replace(/[+#]/g, "-"));
const id = fc.integer({ min: 1, max: 65_535 });
const qos = fc.constantFrom(0 as const, 1 as const);
const message = fc.record({
  topic,
  payload: fc.oneof(text, fc.constant("é".repeat(9_000))),
  qos,
  retain: fc.boolean(),
});

test("a CONNECT has what it was given", () => {
  const options = fc.record({
    clientId: word,
    cleanStart: fc.boolean(),
    keepAlive: fc.integer({ min: 0, max: 65_535 }),
    user: fc.option(word, { nil: undefined }),
    password: fc.option(text, { nil: undefined }),
    will: message.filter(({ payload }) => payload.length < 1_000),
    willDelay: fc.nat(4_294_967_295),
    sessionExpiry: fc.nat(4_294_967_295),
    receiveMaximum: id,
    maximumPacketSize: fc.integer({ min: 1, max: 4_294_967_295 }),
  });
  fc.assert(
    fc.property(options, (given) => {
      const [packet] = oraclePackets(writeConnect(given));
      expect(packet).toMatchObject({
        cmd: "connect",
        protocolVersion: 5,
        clientId: given.clientId,
        clean: given.cleanStart,
        keepalive: given.keepAlive,
        properties: {
          sessionExpiryInterval: given.sessionExpiry,
          receiveMaximum: given.receiveMaximum,
          maximumPacketSize: given.maximumPacketSize,
        },
        will: {
          topic: given.will.topic,
          payload: Buffer.from(given.will.payload),
          qos: given.will.qos,
          retain: given.will.retain,
          properties: { willDelayInterval: given.willDelay },
        },
        ...(given.user !== undefined && { username: given.user }),
        ...(given.password !== undefined && { password: Buffer.from(given.password) }),
      });
    }),
  );
});

test("a PUBLISH has its message, in UTF-8", () => {
  fc.assert(
    fc.property(message, id, (given, identifier) => {
      const [packet] = oraclePackets(writePublish(given, identifier));
      const { payload, ...others } = given;
      // A comparison of buffers takes a quarter of a second.
      expect((packet as { payload: Buffer }).payload.toString()).toBe(payload);
      expect(packet).toMatchObject({
        cmd: "publish",
        dup: false,
        ...others,
        ...(given.qos === 1 && { messageId: identifier }),
      });
    }),
  );
});

test("a SUBSCRIBE asks for QoS 1, for the retain flag as it was published, and for nothing that is stored", () => {
  fc.assert(
    fc.property(fc.array(topic, { minLength: 1, maxLength: 8 }), id, (filters, identifier) => {
      const [packet] = oraclePackets(writeSubscribe(identifier, filters));
      const options = { qos: 1, nl: false, rap: true, rh: 2 };
      const subscriptions = filters.map((filter) => ({ topic: filter, ...options }));
      expect(packet).toMatchObject({ cmd: "subscribe", messageId: identifier, subscriptions });
    }),
  );
});

test("the short packets are those of the standard", () => {
  expect(oraclePackets(writePuback(0xabcd))).toMatchObject([{ cmd: "puback", messageId: 0xabcd, reasonCode: 0 }]);
  expect(oraclePackets(pingreq)).toMatchObject([{ cmd: "pingreq" }]);
  expect(oraclePackets(writeDisconnect(0x81))).toMatchObject([{ cmd: "disconnect", reasonCode: 0x81 }]);
  expect(oraclePackets(writeDisconnect(0, 0))).toMatchObject([
    { cmd: "disconnect", reasonCode: 0, properties: { sessionExpiryInterval: 0 } },
  ]);
});
