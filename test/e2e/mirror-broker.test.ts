/** A mirror at a real broker: its states, commands and refusals, Home Assistant's discovery, and the other away. */
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { Device, mirrorOf, relay } from "../harness/mirror-device.ts";
import { Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";

const missing = mosquittoMissing();

interface Discovery {
  readonly cmps: { readonly [id: string]: { readonly [option: string]: unknown } };
}

test.skipIf(missing !== undefined)(
  `a mirror is a noun at the broker, and Home Assistant's if it is switched on (skipped: ${missing ?? "never here"})`,
  async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop("SIGKILL"));
    const client = await OtherClient.connect(broker.port);
    onTestFinished(() => client.end());
    const porch = await Device.start({
      nouns: {
        bell: { ...relay, title: "Bell" },
        button: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
        lock: { ...relay, guard: { bell: { on: 1 } } },
        cellar: { kind: "value", default: { celsius: 4.5 }, shape: { celsius: { type: "number", unit: "Cel" } } },
      },
    });
    const id = "00000000-0000-4000-8000-000000000000";
    const hall = await Device.start({
      id,
      nouns: {
        bell: { ...mirrorOf(porch, "bell"), homeAssistant: {} },
        cellar: { ...mirrorOf(porch, "cellar"), homeAssistant: {} },
        lock: mirrorOf(porch, "lock"),
        button: mirrorOf(porch, "button"),
      },
      mqtt: { server: broker.address, id: "hall", may: "* *", interval: 0, homeAssistant: true },
    });
    await client.hears("nound/hall", "online");
    await client.hears("nound/hall/bell", '{"on":0}');
    const config = `homeassistant/device/${id}/config`;
    const components = (): Discovery["cmps"] => (JSON.parse(client.latest(config) ?? '{"cmps":{}}') as Discovery).cmps;
    const isKnown = (noun: string) => Object.keys(components()).some((id) => id.split(/[/:]/).includes(noun));
    await eventually("Home Assistant knows the mirrors", () => isKnown("bell") && isKnown("cellar"));
    expect(isKnown("lock")).toBe(false);
    expect(components()).toMatchObject({
      "switch:bell/on": { p: "switch", name: "Bell", avty: [{ t: "nound/hall" }, { t: "~" }], avty_mode: "all" },
      "number:cellar/celsius": { p: "number", unit_of_meas: "°C" },
    });
    // A command goes through, and so does a refusal.
    await client.publish("nound/hall/bell/put", '{"on":1}');
    await client.hears("nound/hall/bell", '{"on":1}');
    await porch.has("/bell", { on: 1 });
    await client.publish("nound/hall/bell/delete", "");
    await client.hears("nound/hall/bell", '{"on":0}');
    const problemOf = async (noun: string, count: number) => {
      const topic = `nound/hall/${noun}/problem`;
      await eventually(`${topic} has ${count}`, () => client.all(topic).length === count);
      return JSON.parse(client.latest(topic) ?? "") as object;
    };
    await client.publish("nound/hall/lock/put", '{"on":1}');
    expect(await problemOf("lock", 1)).toMatchObject({ status: 409, detail: expect.stringContaining("guarded") });
    // The other is away: null, which the availability of each entity reads, and no command is kept for later.
    porch.process.signal("SIGKILL");
    await client.hears("nound/hall/bell", "null");
    await client.hears("nound/hall/cellar", "null");
    await client.publish("nound/hall/bell/put", '{"on":1}');
    expect(await problemOf("bell", 1)).toMatchObject({ status: 503, detail: expect.stringContaining("other device") });
    expect(client.latest("nound/hall")).toBe("online");
    // A hall that starts meanwhile does not know the keys yet, and leaves Home Assistant's entities alone.
    hall.process.signal("SIGTERM");
    await client.hears("nound/hall", "offline");
    await hall.again();
    await client.hears("nound/hall", "online");
    await client.publish("nound/hall/bell/put", '{"on":1}');
    await problemOf("bell", 2);
    await porch.again();
    await client.hears("nound/hall/bell", '{"on":0}');
    await client.hears("nound/hall/cellar", '{"celsius":4.5}');
    // The keys became known after the device was at the broker: what counts events is among them.
    await client.hears("nound/hall/button", '{"pressed":0,"short":0,"long":0,"double":0}');
    await porch.press("/simulated.button");
    await client.hears("nound/hall/button/event", '{"event_type":"short"}');
    await eventually("Home Assistant is told of the mirrors again", () => isKnown("bell") && isKnown("cellar"));
    const removed = client.all(config).flatMap((message) => Object.entries((JSON.parse(message) as Discovery).cmps));
    expect(removed.filter(([, component]) => Object.keys(component).length === 1)).toEqual([]);
    expect((await porch.ask("GET", "/bell")).state).toEqual({ on: 0 });
  },
);
