/** A broker that sends what MQTT forbids, again and again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { messages, TestDevice } from "./scripted-broker.ts";

/** Bytes that no reader of MQTT 5.0 accepts, each followed by anything. */
const malformed = [
  "\x00\x00", // type 0
  "\x20\x03\x00\x00\x00", // a second CONNACK
  "\x30\xff\xff\xff\xff\x01", // a length of five bytes
  "\x30\xff\xff\xff\x7f", // a packet of 256 MB
  "\x30\x04\x00\x01\x00\x00", // a topic with NUL
  "\x30\x04\x00\x09a\x00", // a topic beyond the packet
  "\x36\x06\x00\x01a\x00\x01\x00", // QoS 3
  "\x40\x02\x77\x77", // an acknowledgement of nothing
  "\x40\x02\x00\x00", // identifier 0
  "\x90\x04\x77\x77\x00\x01", // SUBACK of nothing
  "\xd0\x01\x00", // PINGRESP with a length
  "\xd3\x00", // reserved bits
  "\xe0\x05\x8b\x03\x7f\x00\x00", // an unknown property
  "\xf0\x00", // AUTH
] as const;

test("each of a thousand malformed packets ends its connection alone, and leaves nothing behind", () => {
  const device = new TestDevice({ led: new SwitchNoun({ key: "led" }) });
  const idle = device.clock.running;
  const rest = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
  fc.assert(
    fc.property(fc.constantFrom(...malformed), rest, fc.nat(60), (bytes, more, cut) => {
      const { broker, sent } = device.connect();
      expect(messages(sent).at(-1)).toEqual(["nound/hall", "online"]);
      broker.peer.send((bytes + more).slice(0, cut % (bytes.length + 1)));
      broker.peer.send((bytes + more).slice(cut % (bytes.length + 1)));
      expect(broker.peer.released).toBe(true);
      expect(broker.packets()).toMatchObject([{ cmd: "disconnect" }]);
      // The wait for the next connect alone is left, and no noun is watched.
      expect(device.clock.running).toBe(idle);
    }),
    { numRuns: 1_000 },
  );
});
