/** What level an output of an application begins with. */
import { beforeEach, expect, test } from "vitest";
import { type GpioOutputOptions, gpioOutputNoun, openStore, Server } from "../../../ts/nound.ts";
import { advance, pin, request, reset, sendSignal, storedTexts } from "../../../ts/testing.ts";

beforeEach(reset);

const folder = "/var/lib/my-device";

function serve(options: Partial<GpioOutputOptions>): Server {
  const server = new Server();
  server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump", ...options }));
  return server;
}

test("with boot restore the level is kept in the store, and the program after this one begins with it", async () => {
  const server = serve({ boot: "restore", store: openStore(folder) });
  await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
  expect(storedTexts(folder).get("output-pump")).toBe("1");
  sendSignal("SIGTERM");
  await advance(0);
  expect(pin("GPIO17").voltage).toBe(1);

  reset();
  storedTexts(folder).set("output-pump", "1");
  serve({ boot: "restore", store: openStore(folder) });
  expect(pin("GPIO17").level).toBe(1);
});

test("without boot the level is the default, whatever was kept", () => {
  storedTexts(folder).set("output-pump", "1");
  serve({ store: openStore(folder) });
  expect(pin("GPIO17").level).toBe(0);
});

test("boot restore without a store, and with a pulse, is refused", () => {
  expect(() => serve({ boot: "restore" })).toThrow('"boot": "restore" needs a store: openStore("/var/lib/my-device").');
  expect(() => serve({ boot: "restore", store: openStore(folder), pulse: 10 })).toThrow("would repeat a pulse");
});
