/** Streams of events, as docs/clients.md has them: the clients that exist, many edges, slow clients, and the end. */

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EventSource } from "eventsource";
import { describe, expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { freeAddress } from "../harness/address.ts";
import { missing, run as program, python } from "../harness/client-program.ts";
import { withConstants } from "../harness/constants.ts";
import { slowness } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { tcpSockets } from "../harness/tcp-sockets.ts";
import { ample } from "../harness/time-limits.ts";

const nouns = {
  led: { kind: "switch", key: "led" },
  note: { kind: "value", default: { text: "" } },
  door: { kind: "gpio-input", chip: "gpiochip0", offset: 3, key: "open", edges: "both" },
  window: { kind: "gpio-input", chip: "gpiochip0", offset: 4, key: "open" },
  battery: { kind: "sensor", device: "iio:device0", channel: "voltage0", poll: 250 },
  bell: { kind: "gpio-output", chip: "gpiochip0", offset: 5, key: "bell", pulse: 200 },
};

async function start(limits: object = {}, address?: string): Promise<NoundProcess> {
  const listen = address ?? (await freeAddress());
  const { written, environment } = withConstants({ listen, limits, nouns });
  const file = configurationFile(JSON.stringify(written));
  const nound = new NoundProcess(["--simulate", "--config", file], listen, { environment });
  await nound.listening();
  return nound;
}

/** Puts a state on a connection of its own. */
async function set(nound: NoundProcess, target: string, state: State): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  connection.send(put(target, state));
  const { status } = await connection.response();
  connection.drop();
  expect(status).toBe(200);
}

async function read(nound: NoundProcess, target: string): Promise<State> {
  const connection = await RawConnection.open(nound.address);
  connection.send(get(target));
  const { body } = await connection.response();
  connection.drop();
  return JSON.parse(body.toString()) as State;
}

/** Starts a program that the test ends. @returns it, and what it has printed. */
function run(
  command: string,
  ...args: readonly string[]
): { readonly child: ChildProcess; readonly output: () => string } {
  let output = "";
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output: () => output };
}

const noCurl = missing("curl", "--version");
const noPython = missing(python, "--version");
const noAiohttp = missing("/usr/bin/python3", "-c", "import aiohttp");

describe("clients that were not changed for this server", () => {
  test.skipIf(noCurl !== undefined)(`curl -N prints each event as it comes${noCurl ?? ""}`, async () => {
    const nound = forThisTest(await start());
    const header = "Accept: text/event-stream";
    const curl = run(
      "curl",
      "--silent",
      "--no-buffer",
      "--noproxy",
      "*",
      "--header",
      header,
      `http://${nound.address}/led`,
    );
    await eventually("the first event", () => curl.output().includes('data: {"led":0}\n\n'));
    await set(nound, "/led", { led: 1 });
    await eventually("the second event", () => curl.output().includes('data: {"led":1}\n\n'));
    curl.child.kill("SIGTERM");
  });

  test("npm's eventsource hears each event, and finds the server again after it was killed", async () => {
    const address = await freeAddress();
    const first = endedByThisTest(await start({}, address));
    const source = new EventSource(`http://${address}/led`);
    onTestFinished(() => source.close());
    const heard: string[] = [];
    source.onmessage = ({ data }) => heard.push(data as string);
    await eventually("the first event", () => heard.length === 1);
    await set(first, "/led", { led: 1 });
    await eventually("the second event", () => heard.length === 2);
    first.signal("SIGKILL");
    await first.ending();
    forThisTest(await start({}, address));
    await eventually("the first event of the second server", () => heard.length === 3);
    expect(heard).toEqual(['{"led":0}', '{"led":1}', '{"led":0}']);
  });

  test.skipIf(noAiohttp !== undefined)(`aiohttp reads the stream line by line${noAiohttp ?? ""}`, async () => {
    const nound = forThisTest(await start());
    const script = temporaryPath("watch.py");
    writeFileSync(
      script,
      `import asyncio, json, sys, aiohttp
async def main():
    async with aiohttp.ClientSession() as session:
        async with session.get(sys.argv[1], headers={"Accept": "text/event-stream"}) as answer:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    print(json.loads(line[6:])["led"], flush=True)
asyncio.run(main())
`,
    );
    const python = run("/usr/bin/python3", script, `http://${nound.address}/led`);
    await eventually("the first event", () => python.output() === "0\n");
    await set(nound, "/led", { led: 1 });
    await eventually("the second event", () => python.output() === "0\n1\n");
    python.child.kill("SIGKILL");
  });
});

describe("what is told", () => {
  test.skipIf(noPython !== undefined)(
    `an event never overtakes the answer to the request that has caused it${noPython ?? ""}`,
    async () => {
      const nound = forThisTest(await start({ maxEventsPerSecond: 1_000 }));
      const [host = "", port = ""] = nound.address.split(":");
      const script = join(import.meta.dirname, "python", "answer_first.py");
      expect(await program(python, [script, host, port, "200"])).toBe("0\n");
    },
  );

  test("a simulated line reports its edges, a converter what moves it, an output its pulse's end", async () => {
    const nound = forThisTest(await start());
    const [door, window, battery, bell] = ["/door", "/window", "/battery", "/bell"].map(
      (target) => new EventClient(nound.address, target),
    ) as [EventClient, EventClient, EventClient, EventClient];
    await Promise.all([door, window, battery, bell].map((client) => client.count(1)));
    await set(nound, "/simulated.door", { open: 1 });
    await door.says({ open: 1, edges: 1 });
    await set(nound, "/simulated.window", { open: 1 });
    await window.says({ open: 1 });
    await set(nound, "/simulated.battery", { volts: 7 });
    await battery.says({ volts: 7 });
    await set(nound, "/bell", { bell: 1 });
    await bell.hasSaid({ bell: 1 });
    await bell.says({ bell: 0 });
  });

  test("three watchers, one of them slow, hear of 10,000 edges in order, and each edge is counted", async () => {
    const nound = forThisTest(await start({ sendTimeout: ample }));
    const clients = [1, 2, 3].map(() => new EventClient(nound.address, "/door"));
    await Promise.all(clients.map((client) => client.count(1)));
    const [slow] = clients as [EventClient];
    slow.pause();
    const finger = await RawConnection.open(nound.address);
    for (let sent = 0; sent < 10_000; sent += 100) {
      for (let i = 0; i < 100; i++) finger.send(put("/simulated.door", { open: (i + 1) % 2 }));
      for (let i = 0; i < 100; i++) await finger.response();
    }
    slow.resume();
    const state = await read(nound, "/door");
    expect(state).toMatchObject({ open: 0, edges: 10_000, missed: 0 });
    for (const client of clients) {
      await client.says({ open: 0, edges: 10_000, missed: 0 });
      const counts = client.events.map(({ data }) => Number(data?.["edges"]));
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      const ids = client.events.map(({ id }) => Number(id.split("-")[1]));
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    }
  });

  const text = "x".repeat(8_000);

  /**
   * What the kernel holds for a client: what the server has sent and it has not received, and what it has not read; or
   * undefined.
   */
  function queues({ port }: EventClient): { readonly unsent: number; readonly unread: number } | undefined {
    const sockets = tcpSockets();
    const server = sockets.find(({ peer }) => peer === port);
    const client = sockets.find((socket) => socket.port === port);
    return server && client && { unsent: server.unsent, unread: client.unread };
  }

  test("a client that takes nothing gets the latest state later: less than 64 KB wait for it", async () => {
    const nound = forThisTest(await start({ sendTimeout: ample, bodyBytes: 65_536, maxEventsPerSecond: 1_000 }));
    const quick = new EventClient(nound.address, "/note");
    await quick.count(1);
    const writer = await RawConnection.open(nound.address);
    let writes = 0;
    const write = async () => {
      writes += 1;
      writer.send(put("/note", { text: `${writes} ${text}` }));
      expect((await writer.response()).status).toBe(200);
    };
    // A kernel gives a client up that has taken nothing for 11.5 s. Where the machine is so busy, there is another one.
    await eventually("a client that takes nothing for a while, and then the latest state", async () => {
      const slow = new EventClient(nound.address, "/note");
      await slow.count(1);
      const first = quick.events.length;
      slow.pause();
      const tell = async () => {
        for (const told = quick.events.length; quick.events.length < told + 5; ) await write();
        return queues(slow);
      };
      // Five events of which nothing came on show that the client takes no more.
      let [before, now] = [await tell(), await tell()];
      while (now !== undefined && (now.unsent === 0 || now.unsent !== before?.unsent || now.unread !== before.unread)) {
        [before, now] = [now, await tell()];
      }
      // The kernels ask each other several times whether there is room now.
      for (let more = 0; more < 100; more++) await write();
      const unsent = queues(slow)?.unsent ?? 0;
      const last = { text: `${writes} ${text}` };
      await quick.says(last);
      slow.resume();
      await eventually("the latest state, or the end", () => slow.holds(last) || slow.hasEnded);
      const isKept = slow.holds(last);
      slow.drop();
      if (!isKept) return false;
      console.log(`the kernel holds ${unsent} bytes for the client that takes nothing`);
      expect(unsent).toBeGreaterThan(0);
      // One event more is with the program.
      expect(unsent).toBeLessThan(65_536 - text.length);
      expect(slow.events.length).toBeLessThan(quick.events.length - first);
      return true;
    });
  });
});

describe("the end", () => {
  const title =
    "a stopped client (SIGSTOP) of a noun that changes 50 times a second loses its place, and the others go on";
  test.skipIf(noCurl !== undefined)(`${title}${noCurl ?? ""}`, async () => {
    const nound = forThisTest(await start({ sendTimeout: 1_000 * slowness, maxStreams: 2, bodyBytes: 65_536 }));
    const url = `http://${nound.address}/note`;
    const args = ["--silent", "--no-buffer", "--noproxy", "*", "--header", "Accept: text/event-stream", url];
    const curl = run("curl", ...args);
    await eventually("the first event", () => curl.output().includes("data: "));
    const honest = new EventClient(nound.address, "/note");
    await honest.count(1);
    curl.child.kill("SIGSTOP");
    const text = "x".repeat(30_000);
    let writes = 0;
    const free = await eventually("a place that is free", async () => {
      for (let i = 0; i < 5; i++) {
        writes += 1;
        await set(nound, "/note", { text: `${writes} ${text}` });
        await delay(20);
      }
      const next = new EventClient(nound.address, "/note");
      await eventually("an answer", () => next.received !== "" || next.hasEnded);
      if (next.received.startsWith("HTTP/1.1 200")) return next;
      next.drop();
      return undefined;
    });
    expect(free.hasEnded).toBe(false);
    expect(honest.hasEnded).toBe(false);
    await honest.says({ text: `${writes} ${text}` });
    curl.child.kill("SIGKILL");
  });

  test("streams end when the server does, at once", async () => {
    const nound = await start({ shutdownTimeout: ample });
    const client = new EventClient(nound.address, "/led");
    await client.count(1);
    expect(await nound.stop()).toMatchObject({ status: 0, stderr: "" });
    await eventually("the end of the stream", () => client.hasEnded);
  });

  test("a silent stream has its comments, and a client that closes frees its place at once", async () => {
    const nound = forThisTest(await start({ streamInterval: 100, maxStreams: 1 }));
    const client = new EventClient(nound.address, "/led");
    await eventually("three comments", () => client.received.split("\n:\n").length > 3);
    client.drop();
    await eventually("the free place", async () => {
      const next = new EventClient(nound.address, "/led");
      await eventually("an answer", () => next.events.length === 1 || next.received.includes(" 503 "));
      return next.events.length === 1;
    });
  });
});
