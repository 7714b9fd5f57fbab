/** What `--find mirrors` says to D-Bus, and what it makes of the answers. test/e2e/find-mirrors.test.ts has a real Avahi. */
import { expect, test } from "vitest";
import { connectedPair } from "../../../ts/native/simulated/net.ts";
import { AvahiBrowser, type FoundService } from "../../../ts/program/find/avahi-browser.ts";
import { callBytes, readMessage } from "../../../ts/program/find/bus-message.ts";

type Value = number | string | readonly string[];

/** Bytes of a message as dbus-daemon writes them. */
class Written {
  bytes = "";
  private readonly isLittle: boolean;

  constructor(isLittle: boolean) {
    this.isLittle = isLittle;
  }

  number(size: number, value: number): this {
    this.pad(size);
    const bytes = Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 255);
    this.bytes += String.fromCharCode(...(this.isLittle ? bytes : bytes.reverse()));
    return this;
  }

  pad(alignment: number): this {
    while (this.bytes.length % alignment > 0) this.bytes += "\0";
    return this;
  }

  values(signature: string, values: readonly Value[]): this {
    const types = signature.match(/aay|./g) ?? [];
    for (const [index, type] of types.entries()) {
      const value = values[index] ?? 0;
      if (typeof value === "number") this.number(type === "y" ? 1 : type === "q" ? 2 : 4, value);
      else if (typeof value === "string") this.number(4, value.length).put(`${value}\0`);
      else this.array(value as readonly string[]);
    }
    return this;
  }

  put(bytes: string): this {
    this.bytes += bytes;
    return this;
  }

  private array(texts: readonly string[]): void {
    this.number(4, 0);
    const begin = this.bytes.length;
    for (const text of texts) this.number(4, text.length).put(text);
    const length = new Written(this.isLittle).number(4, this.bytes.length - begin).bytes;
    this.bytes = this.bytes.slice(0, begin - 4) + length + this.bytes.slice(begin);
  }
}

/** @param kind 2 for an answer, 3 for an error, 4 for a signal. @param fields codes with a number or a text. */
function message(
  kind: number,
  fields: readonly (readonly [code: number, value: number | string])[],
  signature: string,
  values: readonly Value[],
  isLittle = true,
): string {
  const body = new Written(isLittle).values(signature, values).bytes;
  const array = new Written(isLittle);
  for (const [code, value] of [...fields, [8, signature] as const]) {
    array.pad(8).number(1, code).put("\u0001");
    if (typeof value === "number") array.put("u\0").number(4, value);
    else if (code === 8) array.put("g\0").number(1, value.length).put(`${value}\0`);
    else array.put("s\0").values("s", [value]);
  }
  const head = new Written(isLittle).put(`${isLittle ? "l" : "B"}${String.fromCharCode(kind, 0, 1)}`);
  head.number(4, body.length).number(4, 9).number(4, array.bytes.length).put(array.bytes).pad(8);
  return head.bytes + body;
}

const signal = (member: string, signature: string, values: readonly Value[]): string =>
  message(4, [[3, member]], signature, values);

const item = (at: number, protocol: number, name: string, flags: number): string =>
  signal("ItemNew", "iisssu", [at, protocol, name, "_wot._tcp", "local", flags]);

/** A bus that has admitted the browser, with what the browser found. */
class Bench {
  readonly outcomes: (readonly [readonly FoundService[], string])[] = [];
  private readonly peer;

  constructor() {
    const [socket, peer] = connectedPair("unix:/run/dbus/system_bus_socket");
    this.peer = peer;
    const browser = new AvahiBrowser(socket, (...outcome) => this.outcomes.push(outcome));
    socket.handler = browser;
    browser.begin("_wot._tcp");
    expect(peer.received).toBe("\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n");
  }

  admit(): this {
    this.peer.send("DATA\r\nOK 0123456789abcdef\r\n");
    return this;
  }

  send(...messages: readonly string[]): this {
    for (const text of messages) this.peer.send(text);
    return this;
  }

  get received(): string {
    return this.peer.received;
  }
}

const resolved = (serial: number, name: string, address: string): string =>
  message(2, [[5, serial]], "iissssisqaayu", [
    ...[2, 0, name, "_wot._tcp", "local", "porch.local", 0, address, 8_080],
    ...[["td=/.well-known/wot", "scheme=http"], 5],
  ]);

test("finds what other devices announce, each once and by IPv4, and nothing of this device", () => {
  const bench = new Bench().admit();
  expect(bench.received).toContain("ServiceBrowserNew");
  bench.send(item(2, 1, "Porch", 4), item(2, 0, "Porch", 4), item(3, 0, "Porch", 4), item(1, 0, "Hall", 12));
  expect(bench.received).not.toContain("ResolveService");
  bench.send(signal("AllForNow", "", []));
  expect(bench.received.split("ResolveService")).toHaveLength(2);
  bench.send(resolved(4, "P\u00c3\u00b6rch", "192.0.2.1"));
  expect(bench.outcomes).toEqual([
    [
      [
        {
          ...{ name: "Pörch", host: "porch.local", address: "192.0.2.1", port: 8_080 },
          texts: ["td=/.well-known/wot", "scheme=http"],
        },
      ],
      "",
    ],
  ]);
});

test("a device without an IPv4 address is resolved again, and one that is gone is left out", () => {
  const bench = new Bench().admit().send(item(2, 1, "Porch", 4), item(2, 1, "Attic", 4), signal("AllForNow", "", []));
  const gone = (serial: number) =>
    message(
      3,
      [
        [4, "org.freedesktop.Avahi.TimeoutError"],
        [5, serial],
      ],
      "",
      [],
    );
  bench.send(gone(4), gone(5), resolved(6, "Porch", "2001:db8::1"), gone(7));
  expect(bench.outcomes).toMatchObject([[[{ name: "Porch", address: "2001:db8::1" }], ""]]);
});

test("an Avahi that does not run, and a bus that refuses or speaks another language, end it with a reason", () => {
  const unknown = message(
    3,
    [
      [4, "org.freedesktop.DBus.Error.ServiceUnknown"],
      [5, 3],
    ],
    "s",
    ["?"],
  );
  expect(new Bench().admit().send(unknown).outcomes).toEqual([[[], "avahi-daemon does not run"]]);
  expect(new Bench().send("REJECTED EXTERNAL\r\n").outcomes).toEqual([[[], "the bus does not admit this user"]]);
  expect(new Bench().send("x".repeat(2_000)).outcomes).toEqual([[[], "what comes is no message of D-Bus"]]);
  expect(new Bench().admit().send("HTTP/1.1 400 Bad Request\r\n").outcomes).toEqual([
    [[], "what comes is no message of D-Bus"],
  ]);
});

test("a call has the bytes of the specification", () => {
  const call = { destination: "a.b", path: "/", interface: "a.b", member: "M", signature: "is", values: [-1, "x"] };
  const bytes = Buffer.from(callBytes(call, 2), "latin1").toString("hex");
  expect(bytes).toBe(
    "6c0102010a000000" + // little endian, a call that starts no program, 10 bytes of body
      "0200000048000000" + // serial number, bytes of the fields
      "01016f00010000002f00000000000000" +
      "0201730003000000612e620000000000" +
      "03017300010000004d00000000000000" +
      "0601730003000000612e620000000000" +
      "0801670002697300" +
      "ffffffff010000007800",
  );
});

test("a message is read in both byte orders, and no altered byte does more than refuse it", () => {
  for (const isLittle of [true, false]) {
    const fields = [
      [3, "Found"],
      [5, 7],
    ] as const;
    const bytes = message(2, fields, "iqsaay", [-2, 513, "text", ["td=1"]], isLittle);
    const values = [-2, 513, "text", [[116, 100, 61, 49]]];
    expect(readMessage(`${bytes}rest`)).toEqual({
      message: { kind: "answer", answers: 7, member: "Found", error: "", values },
      length: bytes.length,
    });
    for (let length = 0; length < bytes.length; length++) expect(readMessage(bytes.slice(0, length))).toBeUndefined();
    for (let index = 0; index < bytes.length; index++) {
      for (const byte of ["\0", "\u0001", "a", "\u00ff"]) {
        try {
          readMessage(bytes.slice(0, index) + byte + bytes.slice(index + 1));
        } catch (error) {
          expect(error).toMatchObject({ name: "Error" });
        }
      }
    }
  }
});
