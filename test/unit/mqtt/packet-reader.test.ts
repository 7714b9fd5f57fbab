/** The packets of a broker: read as the oracle writes them, at any split; what MQTT calls malformed is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PacketError } from "../../../ts/parts/mqtt/data-types.ts";
import { type Packet, PacketReader } from "../../../ts/parts/mqtt/packet-reader.ts";
import { oraclePackets, written } from "./oracle.ts";

const limits = { packetBytes: 65_536, payloadBytes: 1_024 };

/** What a reader made of some bytes: its packets, and the reason code of its refusal. */
interface Outcome {
  readonly packets: readonly Packet[];
  readonly refusal: number | undefined;
}

function read(parts: readonly string[], chosen = limits): Outcome {
  const reader = new PacketReader(chosen);
  const packets: Packet[] = [];
  try {
    for (const part of parts) {
      reader.feed(part);
      for (let packet = reader.next(); packet !== undefined; packet = reader.next()) packets.push(packet);
    }
    return { packets, refusal: undefined };
  } catch (error) {
    if (!(error instanceof PacketError)) throw error;
    return { packets, refusal: error.reason };
  }
}

const text = fc.string({ unit: "binary", maxLength: 12 }).map((one) => one.replaceAll("\0", "").toWellFormed());
const word = text.filter((one) => one !== "");
const topic = word.map((one) => one.replace(/[+#]/g, "-"));
const id = fc.integer({ min: 1, max: 65_535 });
const four = fc.integer({ min: 1, max: 4_294_967_295 });
const user = fc.record({ userProperties: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text, { maxKeys: 3 }) });
const reasonString = fc.record({ reasonString: word }, { requiredKeys: [] });

const connack = fc
  .record({
    sessionPresent: fc.boolean(),
    properties: fc.record(
      {
        sessionExpiryInterval: four,
        receiveMaximum: id,
        maximumQoS: fc.constantFrom(0, 1),
        retainAvailable: fc.boolean(),
        maximumPacketSize: four,
        assignedClientIdentifier: word,
        topicAliasMaximum: id,
        reasonString: word,
        wildcardSubscriptionAvailable: fc.boolean(),
        serverKeepAlive: id,
        responseInformation: word,
        serverReference: word,
      },
      { requiredKeys: [] },
    ),
  })
  .map((one) => ({ cmd: "connack", reasonCode: 0, ...one }));
const publish = fc
  .record({
    topic,
    payload: fc.uint8Array({ maxLength: 1_500 }).map((bytes) => Buffer.from(bytes)),
    qos: fc.constantFrom(0, 1),
    retain: fc.boolean(),
    messageId: id,
    properties: fc.oneof(fc.constant({}), fc.record({ messageExpiryInterval: four, contentType: text }), user),
  })
  .map((one) => ({ cmd: "publish", dup: false, ...one }));
const puback = fc
  .record({
    messageId: id,
    reasonCode: fc.constantFrom(0x00, 0x10, 0x80, 0x87, 0x97),
    properties: fc.oneof(reasonString, user),
  })
  .map((one) => ({ cmd: "puback", ...one }));
const suback = fc
  .record({
    messageId: id,
    granted: fc.array(fc.constantFrom(0, 1, 0x80, 0x87), { minLength: 1, maxLength: 8 }),
    properties: reasonString,
  })
  .map((one) => ({ cmd: "suback", ...one }));
const disconnect = fc
  .record({
    reasonCode: fc.constantFrom(0x00, 0x8b, 0x8e, 0x9c),
    properties: fc.record({ serverReference: word }, { requiredKeys: [] }),
  })
  .map((one) => ({ cmd: "disconnect", ...one }));
const pingresp = fc.constant({ cmd: "pingresp" });
const packet = fc.oneof(connack, publish, puback, suback, disconnect, pingresp);

/** What both readers tell of a packet, in the same words. */
function told(found: ReturnType<typeof oraclePackets>[number]): object {
  const { properties = {}, reasonCode = 0 } = found as {
    properties?: { [name: string]: unknown };
    reasonCode?: number;
  };
  const kept = [
    "serverKeepAlive",
    "reasonString",
    "receiveMaximum",
    "maximumQoS",
    "retainAvailable",
    "maximumPacketSize",
    "wildcardSubscriptionAvailable",
  ];
  const named = Object.entries(properties).filter(([name]) => kept.includes(name));
  const own = Object.fromEntries(
    named.map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]),
  );
  const messageId = found.messageId ?? 0;
  switch (found.cmd) {
    case "connack":
      return { type: "connack", sessionPresent: found.sessionPresent, reason: reasonCode, properties: own };
    case "publish": {
      const payload =
        found.payload.length > limits.payloadBytes ? undefined : (found.payload as Buffer).toString("latin1");
      const { topic, qos, retain } = found;
      return { type: "publish", topic, qos, retain, id: qos === 0 ? 0 : messageId, payload };
    }
    case "puback":
      return { type: "puback", id: messageId, reason: reasonCode, properties: own };
    case "suback":
      return { type: "suback", id: messageId, reasons: found.granted, properties: own };
    case "disconnect":
      return { type: "disconnect", reason: reasonCode, properties: own };
    default:
      return { type: found.cmd };
  }
}

/** @returns the bytes in parts that end at these places. */
function cut(bytes: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((one, other) => one - other);
  return [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}

describe("well-formed packets", () => {
  test("are read as the oracle writes and reads them", () => {
    fc.assert(
      fc.property(fc.array(packet, { minLength: 1, maxLength: 4 }), (packets) => {
        const bytes = packets.map(written).join("");
        expect(read([bytes])).toEqual({ packets: oraclePackets(bytes).map(told), refusal: undefined });
      }),
      { numRuns: 1_000 },
    );
  });

  test("are the same however the network splits them", () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 12 }), (packets, places) => {
        const bytes = packets.map(written).join("");
        expect(read(cut(bytes, places))).toEqual(read([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  test("are the same byte by byte", () => {
    fc.assert(
      fc.property(packet, (one) => {
        const bytes = written(one);
        expect(read([...bytes])).toEqual(read([bytes]));
      }),
    );
  });
});

/** Reason codes that the oracle reads in each packet that has one. */
const knownReasons = new Set([0x00, 0x80, 0x83, 0x87, 0x97]);

/** @returns whether a packet has only reason codes that the oracle reads. */
function isKnown(packet: Packet): boolean {
  if (packet.type === "suback") return packet.reasons.every((reason) => reason === 1 || knownReasons.has(reason));
  return !("reason" in packet) || knownReasons.has(packet.reason);
}

describe("damaged packets", () => {
  const mutation = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(2));

  test("are refused, or read as the oracle reads them, at any split", () => {
    fc.assert(
      fc.property(
        packet,
        fc.array(mutation, { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (one, mutations, places) => {
          const bytes = [...written(one)];
          for (const [position, byte, kind] of mutations) {
            const index = position % (bytes.length + 1);
            bytes.splice(
              index,
              kind === 0 ? 1 : kind === 1 ? 1 : 0,
              ...(kind === 1 ? [] : [String.fromCharCode(byte)]),
            );
          }
          const damaged = bytes.join("");
          const outcome = read([damaged]);
          expect(read(cut(damaged, places))).toEqual(outcome);
          // The oracle knows no other reason codes than the standard's, and no packet without its properties.
          const known = outcome.packets.every(isKnown) && !damaged.startsWith("\x20\x02");
          if (outcome.refusal === undefined && known) {
            expect(outcome.packets).toEqual(oraclePackets(damaged).map(told));
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

const malformed = 0x81;
const protocolError = 0x82;

describe("a packet that MQTT 5.0 forbids", () => {
  test.each([
    ["of type 0", "\x00\x00", protocolError],
    ["of a client: CONNECT", "\x10\x00", protocolError],
    ["of QoS 2: PUBREL", "\x62\x02\x00\x01", protocolError],
    ["for an authentication that was not asked for: AUTH", "\xf0\x00", protocolError],
    ["with a length of five bytes", "\x20\xff\xff\xff\xff\x01", malformed],
    ["with a length that has more bytes than it needs", "\xd0\x80\x00", malformed],
    ["PINGRESP with a length", "\xd0\x01\x00", malformed],
    ["PINGRESP with a reserved bit", "\xd1\x00", malformed],
    ["CONNACK with reserved flags", "\x20\x03\x02\x00\x00", malformed],
    ["CONNACK with a session and a refusal", "\x20\x03\x01\x87\x00", malformed],
    ["CONNACK with an unknown property", "\x20\x05\x00\x00\x02\x7e\x00", malformed],
    ["CONNACK with a property of a PUBLISH", "\x20\x05\x00\x00\x02\x01\x00", malformed],
    ["CONNACK with Receive Maximum 0", "\x20\x06\x00\x00\x03\x21\x00\x00", protocolError],
    ["CONNACK with Maximum QoS 2", "\x20\x05\x00\x00\x02\x24\x02", protocolError],
    ["CONNACK with a property twice", "\x20\x07\x00\x00\x04\x25\x01\x25\x01", protocolError],
    ["CONNACK whose property ends too early", "\x20\x05\x00\x00\x02\x21\x00", malformed],
    ["CONNACK with bytes behind its properties", "\x20\x04\x00\x00\x00\x00", malformed],
    ["PUBLISH with QoS 3", "\x36\x06\x00\x01a\x00\x01\x00", malformed],
    ["PUBLISH with QoS 2", "\x34\x06\x00\x01a\x00\x01\x00", protocolError],
    ["PUBLISH with DUP and QoS 0", "\x38\x04\x00\x01a\x00", malformed],
    ["PUBLISH with identifier 0", "\x32\x06\x00\x01a\x00\x00\x00", protocolError],
    ["PUBLISH without a topic", "\x30\x03\x00\x00\x00", protocolError],
    ["PUBLISH with a wildcard in its topic", "\x30\x04\x00\x01#\x00", protocolError],
    ["PUBLISH with NUL in its topic", "\x30\x04\x00\x01\x00\x00", malformed],
    ["PUBLISH with a topic that is not UTF-8", "\x30\x04\x00\x01\xff\x00", malformed],
    ["PUBLISH with a topic longer than the packet", "\x30\x04\x00\x09a\x00", malformed],
    ["PUBLISH with a topic alias", "\x30\x07\x00\x01a\x03\x23\x00\x01", 0x94],
    ["PUBACK with identifier 0", "\x40\x02\x00\x00", protocolError],
    ["SUBACK without a reason", "\x90\x03\x00\x01\x00", malformed],
    ["DISCONNECT with a session expiry, which is a client's", "\xe0\x07\x00\x05\x11\x00\x00\x00\x01", malformed],
  ])("is refused: %s", (_name, bytes, refusal) => {
    expect(read([bytes])).toEqual({ packets: [], refusal });
    expect(read([...bytes])).toEqual({ packets: [], refusal });
  });

  test("is refused when it is longer than the client accepts, before its bytes arrive", () => {
    expect(read(["\x30\xff\xff\x7f"])).toEqual({ packets: [], refusal: 0x95 });
  });
});

test("a reason code may be any", () => {
  for (let reason = 0; reason < 0x100; reason++) {
    const code = String.fromCharCode(reason);
    const packets = [
      `\x20\x03\x00${code}\x00`,
      `\x40\x03\x00\x01${code}`,
      `\x90\x04\x00\x01\x00${code}`,
      `\xe0\x01${code}`,
    ];
    const { refusal, packets: found } = read([packets.join("")]);
    expect(refusal).toBeUndefined();
    expect(found).toMatchObject([
      { type: "connack", reason },
      { type: "puback", id: 1, reason },
      { type: "suback", id: 1, reasons: [reason] },
      { type: "disconnect", reason },
    ]);
  }
});

test.each(["\x20\x02\x00\x01", "\x20\x02\x00\x00"])(
  "a CONNACK of MQTT 3 tells that the broker does not speak 5.0",
  (bytes) => {
    expect(read([bytes]).packets).toEqual([{ type: "connack", sessionPresent: false, reason: 0x84, properties: {} }]);
  },
);

test("a payload beyond the limit is left out, and the next packet is read", () => {
  const long = written({
    cmd: "publish",
    topic: "a/put",
    payload: "x".repeat(50_000),
    qos: 1,
    messageId: 7,
    retain: false,
  });
  const outcome = read([...cut(long, [1_000, 20_000, 49_000]), "\xd0\x00"]);
  const message = { type: "publish", topic: "a/put", qos: 1, retain: false, id: 7, payload: undefined };
  expect(outcome).toEqual({ packets: [message, { type: "pingresp" }], refusal: undefined });
});
