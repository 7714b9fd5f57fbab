/** A chip that goes and comes back, as the kernel's hotplug events tell it. */
import { beforeEach, expect, test } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { coverNoun, gpioInputNoun, gpioOutputNoun, Server } from "../../../ts/nound.ts";
import { setRenewal } from "../../../ts/platform/renewal.ts";
import { advance, putFile, removeFile, request, reset, watch } from "../../../ts/testing.ts";

beforeEach(reset);

const outputPin = () => world().gpio.pin({ name: "RELAY" });
const inputPin = () => world().gpio.pin({ name: "DOOR" });

/** Tells of a chip, as the kernel does. */
function tell(action: "add" | "remove"): void {
  world().input.sendUevent(`ACTION=${action}`, "DEVPATH=/devices/x/gpiochip1", "SUBSYSTEM=gpio");
}

/** A server whose chip goes when the test says so. */
function start() {
  const server = new Server();
  server.register("relay", gpioOutputNoun({ line: "RELAY", key: "on", lease: 1_000 }));
  server.register("door", gpioInputNoun({ line: "DOOR", key: "open", edges: "both", presses: true }));
  const renewals = { count: 0 };
  const go = () => {
    setRenewal(() => {
      renewals.count += 1;
    });
    outputPin().isGone = inputPin().isGone = true;
    tell("remove");
  };
  return { server, go, renewals };
}

test("while a chip is gone, its nouns fail, and no timer of theirs runs on", async () => {
  const { server, go } = start();
  await request(server, { method: "PUT", path: "/relay", body: { on: 1 } });
  go();
  for (const path of ["/relay", "/door"]) expect((await request(server, { path })).status).toBe(500);
  for (const method of ["PUT", "POST"] as const) {
    expect((await request(server, { method, path: "/relay", body: { on: 1 } })).status).toBe(503);
  }
  expect((await request(server, { method: "DELETE", path: "/relay" })).status).toBe(503);
  expect((await request(server, { path: "/" })).body).toEqual({ relay: null, door: null });
  await advance(5_000);
});

test("those who follow them are told at once", async () => {
  const { server, go } = start();
  const streams = [await watch(server, { path: "/relay" }), await watch(server, { path: "/door" })];
  go();
  await advance(0);
  for (const { events } of streams) expect(events.at(-1)).toBe(null);
});

test("when it comes back, another process takes over, once; the chips of others change nothing", async () => {
  const { go, renewals } = start();
  tell("remove");
  tell("add");
  await advance(1_000);
  expect(renewals.count).toBe(0);
  go();
  world().input.sendUevent("ACTION=add", "SUBSYSTEM=usb");
  await advance(1_000);
  expect(renewals.count).toBe(0);
  tell("add");
  tell("add");
  await advance(1_000);
  expect(renewals.count).toBe(1);
});

/** The file by which a chip is seen in /sys. */
const chipFile = (number: number) => `/sys/bus/gpio/devices/gpiochip${number}/uevent`;

/** Takes the chip away, and tells nobody, as in a container. */
function goSilently(): { count: number } {
  const renewals = { count: 0 };
  setRenewal(() => {
    renewals.count += 1;
  });
  outputPin().isGone = inputPin().isGone = true;
  removeFile(chipFile(1));
  return renewals;
}

test.each(["PUT", "POST", "DELETE"] as const)(
  "without hotplug events, %s to a line finds its chip gone",
  async (method) => {
    const { server } = start();
    goSilently();
    expect(
      (await request(server, { method, path: "/relay", ...(method !== "DELETE" && { body: { on: 1 } }) })).status,
    ).toBe(503);
    expect((await request(server, { path: "/" })).body).toEqual({ relay: null, door: null });
  },
);

test("without hotplug events, GET of an input finds the chip of an output gone", async () => {
  const { server } = start();
  goSilently();
  expect((await request(server, { path: "/door" })).status).toBe(500);
  expect((await request(server, { path: "/relay" })).status).toBe(500);
});

test("without hotplug events, a command to a cover finds its chip gone", async () => {
  const server = new Server();
  const lines = { open: { line: "RELAY" }, close: { line: "DOOR" } };
  server.register("blind", coverNoun({ ...lines, openTime: 1_000, closeTime: 1_000 }));
  // An earlier program may have left it moving.
  await advance(1_000);
  goSilently();
  for (const method of ["PUT", "DELETE"] as const) {
    const answer = await request(server, {
      method,
      path: "/blind",
      ...(method === "PUT" && { body: { position: 100 } }),
    });
    expect(answer.status).toBe(503);
  }
  expect((await request(server, { path: "/blind" })).status).toBe(500);
});

test("without hotplug events, another process looks at once, because the chip may be back already", async () => {
  const { server } = start();
  await request(server, { path: "/door" });
  const renewals = goSilently();
  await request(server, { path: "/door" });
  await advance(2_000);
  expect(renewals.count).toBe(1);
});

test("without the event of its return, a chip is found in two seconds, but no other one", async () => {
  for (const number of [0, 1]) putFile(chipFile(number), "");
  const { go, renewals } = start();
  removeFile(chipFile(1));
  go();
  await advance(10_000);
  expect(renewals.count).toBe(0);
  putFile(chipFile(1), "");
  await advance(2_000);
  expect(renewals.count).toBe(1);
});

test("while nothing is gone, nothing is looked for", async () => {
  const { renewals } = start();
  putFile(chipFile(2), "");
  await advance(10_000);
  expect(renewals.count).toBe(0);
});
