/**
 * How long a change takes from the device to Home Assistant, and back. Medians are printed; no clock judges them,
 * because other programs run beside them.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { OtherClient } from "../../harness/mosquitto.ts";
import { type HomeCase, median } from "../case.ts";
import { type Change, type Home, until } from "../home.ts";
import type { Device } from "../house.ts";

const changes = 40;
const presses = 20;

/** A connection to a device that stays open, as a client's that often changes something. */
class Line {
  private readonly socket: Socket;
  private readonly host: string;

  private constructor(socket: Socket, host: string) {
    this.socket = socket;
    this.host = host;
  }

  static async to({ process: { address } }: Device): Promise<Line> {
    const [host = "", port] = address.split(":");
    const socket = connect(Number(port), host);
    await once(socket, "connect");
    socket.setNoDelay(true);
    socket.resume();
    return new Line(socket, address);
  }

  /** Sends a PUT, and does not wait for the answer. @returns when. */
  put(noun: string, state: object): number {
    const body = JSON.stringify(state);
    const head = `PUT /${noun} HTTP/1.1\r\nHost: ${this.host}\r\nContent-Type: application/json\r\n`;
    const now = performance.now();
    this.socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    return now;
  }

  end(): void {
    this.socket.destroy();
  }
}

/** @returns what performance.now() is short of the ms since 1970, at the moment when these change. */
function clockOffset(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}

/** @returns an entity's next change after a moment. */
async function nextChange(home: Home, id: string, since: number): Promise<Change> {
  let change: Change | undefined;
  await until(`${id} changes`, () => {
    change = home.changes.find((one) => one.id === id && one.at > since);
    return change !== undefined;
  });
  return change as Change;
}

/** @returns ms from a moment until a client of the broker has the next message of a topic. */
function timeToMessage(client: OtherClient, topic: string, since: number): Promise<number> {
  return client.next(topic).then(() => performance.now() - since);
}

const shown = (times: readonly number[]): string => `${median(times).toFixed(1)} ms`;

export const latency: readonly HomeCase[] = [
  {
    name: "how long a change takes",
    async run(house) {
      const { home, broker } = house;
      const nouns = {
        lamp: { kind: "switch", key: "on" },
        relay: { kind: "gpio-output", line: "GPIO17", key: "on" },
        bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
      };
      const device = await house.device({ nouns });
      const [lamp, relay, bell] = [
        await device.entity("lamp/on"),
        await device.entity("relay/on"),
        await device.entity("bell:event", "event"),
      ];
      for (const one of [lamp, relay]) await home.shows(one, "off");
      const client = await OtherClient.connect(broker.port);
      const line = await Line.to(device);
      const topic = (noun: string) => `nound/${device.name}/${noun}`;
      const [alone, published]: [number[], number[]] = [[], []];
      const [there, seen, performed]: [number[], number[], number[]] = [[], [], []];
      for (let count = 0; count < changes; count++) {
        const on = 1 - (count % 2);
        const message = client.next("elsewhere");
        const sent = performance.now();
        await client.publish("elsewhere", "1");
        await message;
        alone.push(performance.now() - sent);
        await delay(50);
        const state = client.next(topic("lamp"));
        const put = line.put("lamp", { on });
        published.push(await state.then(() => performance.now() - put));
        const { made, at } = await nextChange(home, lamp, put);
        // Home Assistant's own stamp, and when its page would show it.
        there.push(made - clockOffset() - put);
        seen.push(at - put);
        await delay(50);
        // The output has changed before the broker hears of it.
        const called = performance.now();
        const echo = timeToMessage(client, topic("relay"), called);
        await home.call(`switch.turn_${on === 1 ? "on" : "off"}`, relay);
        performed.push(await echo);
        await delay(50);
      }
      await home.automate(`${device.name}_press`, {
        triggers: [{ trigger: "state", entity_id: bell }],
        actions: [{ action: "switch.toggle", target: { entity_id: relay } }],
      });
      const [heard, switched]: [number[], number[]] = [[], []];
      for (let count = 0; count < presses; count++) {
        line.put("simulated.bell", { pressed: 1 });
        await delay(100);
        const [press, output] = [client.next(topic("bell/event")), client.next(topic("relay"))];
        const released = line.put("simulated.bell", { pressed: 0 });
        await Promise.all([
          press.then(() => heard.push(performance.now() - released)),
          output.then(() => switched.push(performance.now() - released)),
        ]);
        await delay(100);
      }
      line.end();
      await client.end();
      const [load = 0] = loadavg();
      return [
        `PUT to state ${shown(there)} (to the broker ${shown(published)}, to a page there ${shown(seen)})`,
        `a broker alone ${shown(alone)}`,
        `service to output ${shown(performed)}`,
        `press to output ${shown(switched)} (to the broker ${shown(heard)})`,
        `load ${load.toFixed(1)}`,
      ].join(", ");
    },
  },
];
