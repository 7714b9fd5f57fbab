/** A mirror of a device that is hostile, through real sockets: every response that the strict reader refuses, and sizes. */
import { createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/noun/state.ts";
import { connectOptions, freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { hostileHouse } from "../harness/hostile-house.ts";
import { Device, mirrorOf } from "../harness/mirror-device.ts";

const bell = { type: "object", properties: { on: { type: "integer" } }, required: ["on"] };

const descriptionOf = (property: object) => JSON.stringify({ properties: { bell: property } });

const whole = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

const events = (...states: readonly string[]) =>
  `HTTP/1.1 200 OK\r\n\r\n${states.map((state) => `data: ${state}\n\n`).join("")}`;

type Part = "description" | "stream" | "command";

/** A device that answers each request as it is told. What it is not told, it answers as a right one does. */
class HostileDevice {
  readonly address: string;
  /** How it answers next, once. */
  private readonly next = new Map<Part, string>();
  private readonly served: { readonly part: Part; readonly socket: Socket }[] = [];

  private constructor(address: string) {
    this.address = address;
    const server: Server = createServer((socket) => this.serve(socket));
    const { host = "", port = 0 } = connectOptions(address) as { host?: string; port?: number };
    server.listen(port, host);
    onTestFinished(() => {
      server.close();
      for (const { socket } of this.served) socket.destroy();
    });
  }

  static async start(): Promise<HostileDevice> {
    return new HostileDevice(await freeAddress());
  }

  answersOnce(part: Part, bytes: string): void {
    this.next.set(part, bytes);
  }

  /** Ends the streams, so that the mirror connects again. */
  endStreams(): void {
    for (const { part, socket } of this.served) if (part === "stream") socket.destroy();
  }

  private serve(socket: Socket): void {
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const isCommand = text.startsWith("PUT ");
      if (isCommand && text.endsWith("\r\n\r\n")) {
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        return;
      }
      const part = isCommand ? "command" : text.startsWith("GET /.well-known/wot ") ? "description" : "stream";
      if (text.startsWith("OPTIONS ")) {
        socket.end("HTTP/1.1 204 No Content\r\n\r\n");
        return;
      }
      text = "";
      const usual = { description: whole(descriptionOf(bell)), stream: events('{"on":1}'), command: whole('{"on":2}') };
      this.served.push({ part, socket });
      const told = this.next.get(part);
      this.next.delete(part);
      socket.write(told ?? usual[part], "latin1");
    });
  }
}

/** @returns bytes that the script of a device uses. */
async function memoryOf(device: Device): Promise<number> {
  const metrics = await (await fetch(`http://${device.address}/metrics`)).text();
  return Number(/^nound_memory_bytes (\d+)$/m.exec(metrics)?.[1]);
}

/** A hall that mirrors the bells of hostile devices. @param limits of the hall. */
async function hallOf(others: readonly HostileDevice[], limits: object = {}): Promise<Device> {
  const mirrors = others.map((other, index) => [`bell${index}`, { ...mirrorOf(other, "bell"), keepAlive: 60_000 }]);
  const hall = await Device.start({ nouns: Object.fromEntries(mirrors), limits: { maxQueued: 256, ...limits } });
  for (const index of others.keys()) await hall.has(`/bell${index}`, { on: 1 });
  return hall;
}

test("what is too large is refused before it is held, by events, answers, descriptions and shapes", async () => {
  const other = await HostileDevice.start();
  const hall = await hallOf([other]);
  const memory = await memoryOf(hall);
  const lost = async (reason: string): Promise<void> => {
    await eventually(reason, async () => (await hall.ask("GET", "/bell0")).detail.includes(reason));
    await hall.has("/bell0", { on: 1 });
  };
  other.answersOnce("stream", events('{"on":1}', `{"on":"${"x".repeat(1_000_000)}"}`));
  other.endStreams();
  await lost("more than 65536 bytes");
  other.answersOnce("command", whole(`{"on":"${"x".repeat(1_000_000)}"}`));
  expect((await hall.ask("PUT", "/bell0", { on: 3 })).status).toBe(503);
  await hall.has("/bell0", { on: 1 });
  other.answersOnce("description", whole(`{"x":"${"y".repeat(9_000_000)}"}`));
  other.endStreams();
  await lost("cannot be followed");
  const keysOf = (keys: number) => {
    const properties = Array.from({ length: keys }, (_, index) => [`k${index}`, { type: "integer" }]);
    return descriptionOf({ type: "object", properties: Object.fromEntries(properties) });
  };
  other.answersOnce("description", whole(keysOf(10_000)));
  other.endStreams();
  await eventually("the noun is refused", async () => (await hall.ask("GET", "/bell0")).detail.includes("too long"));
  expect((await memoryOf(hall)) - memory).toBeLessThan(262_144);
});

test("a state is as large as the limits of this device allow", async () => {
  const other = await HostileDevice.start();
  const text = "x".repeat(80_000);
  const property = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  // It may be asked as soon as the mirror starts.
  other.answersOnce("description", whole(descriptionOf(property)));
  other.answersOnce("stream", events(JSON.stringify({ text })));
  const hall = await Device.start({
    nouns: { bell: { ...mirrorOf(other, "bell"), keepAlive: 60_000 } },
    limits: { bodyBytes: 90_000, stateBytes: 90_000 },
  });
  await hall.has("/bell", { text } as State);
  other.answersOnce("command", whole(JSON.stringify({ text: `${text}!` })));
  expect(await hall.ask("PUT", "/bell", { text: "y" } as State)).toMatchObject({
    status: 200,
    state: { text: `${text}!` },
  });
});

test("titles with HTML, controls and 4 KB are texts, and everything that has them is well-formed", async () => {
  const other = await Device.start({ title: "House", nouns: hostileHouse.nouns });
  const names = Object.keys(hostileHouse.nouns);
  const hall = await Device.start({ nouns: Object.fromEntries(names.map((name) => [name, mirrorOf(other, name)])) });
  // The last one has a title, a label and a choice of 4 KB each.
  const long = "evil5";
  await eventually("all are mirrored", async () => {
    const { state } = await hall.ask("GET", "/");
    return Object.entries(state).every(([name, value]) => name === long || value !== null);
  });
  expect((await hall.ask("GET", `/${long}`)).detail).toContain("too long");
  const { properties } = (await hall.ask("GET", "/.well-known/wot")).state as unknown as {
    properties: { [name: string]: { title?: string } };
  };
  for (const name of names) {
    expect(properties[name]?.title ?? "").not.toMatch(/\p{Cc}/u);
    expect((properties[name]?.title ?? "").length).toBeLessThanOrEqual(200);
  }
  await hall.ask("GET", "/openapi.json");
  const metrics = await (await fetch(`http://${hall.address}/metrics`)).text();
  for (const line of metrics.trim().split("\n"))
    expect(line).toMatch(/^(?:# .*|\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? \S+)$/);
});

test("a device that sends events without end takes no more time than its share", async () => {
  const other = await HostileDevice.start();
  const hall = await hallOf([other]);
  other.answersOnce("stream", events([...Array(200_000).keys()].map((on) => `{"on":${on}}`).join("\n\ndata: ")));
  other.endStreams();
  await eventually("events come", async () => Number((await hall.ask("GET", "/bell0")).state["on"]) > 5);
  const times: number[] = [];
  for (let asked = 0; asked < 50; asked++) {
    const begin = performance.now();
    await fetch(`http://${hall.address}/bell0`, { method: "OPTIONS" });
    times.push(performance.now() - begin);
  }
  // A figure for people: a clock judges no test here.
  console.info(`slowest of 50 requests beside 200,000 events: ${Math.max(...times).toFixed(1)} ms`);
  expect(await memoryOf(hall)).toBeLessThan(4_000_000);
});
