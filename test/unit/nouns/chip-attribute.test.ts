/** A noun for an attribute of a chip of Industrial I/O, which is named by its name, label or path. */
import { beforeEach, expect, test } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { Server, sysfsNoun } from "../../../ts/nound.ts";
import { putFile, removeFile, request, reset } from "../../../ts/testing.ts";

const folder = (number: number) => `/sys/bus/iio/devices/iio:device${number}`;

beforeEach(reset);

function serve(options: Parameters<typeof sysfsNoun>[0]) {
  const server = new Server();
  server.register("it", sysfsNoun(options));
  return (verb?: { readonly method: string; readonly body?: State }) => request(server, { path: "/it", ...verb });
}

test("a chip is found by its name, also when it comes back with another number", async () => {
  const ask = serve({ device: "mcp4725", path: "out_voltage0_raw", minimum: 0, writable: true, default: 0 });
  removeFile(folder(0));
  expect((await ask()).status).toBe(500);
  putFile(`${folder(3)}/name`, "mcp4725\n");
  putFile(`${folder(3)}/out_voltage0_raw`, "100\n");
  expect((await ask()).body).toEqual({ value: 100 });
  removeFile(folder(3));
  putFile(`${folder(3)}/name`, "bme280\n");
  putFile(`${folder(7)}/name`, "mcp4725\n");
  putFile(`${folder(7)}/out_voltage0_raw`, "0\n");
  expect((await ask({ method: "PUT", body: { value: 4_000 } })).body).toEqual({ value: 4_000 });
  expect((await ask({ method: "DELETE" })).body).toEqual({ value: 0 });
});

test("of two chips with one name, none is read by it, and each by its label or path", async () => {
  for (const number of [1, 2]) {
    putFile(`${folder(number)}/name`, "ads1115\n");
    putFile(`${folder(number)}/in_voltage0_raw`, `${number}\n`);
  }
  putFile(`${folder(2)}/label`, "tank\n");
  const path = "in_voltage0_raw";
  const onBus = "/sys/bus/i2c/devices/1-0048";
  const named = serve({ device: "ads1115", path });
  removeFile("/sys/bus/iio/devices/ads1115");
  expect((await named()).status).toBe(500);
  putFile(`${onBus}/iio:device1/in_voltage0_raw`, "1\n");
  expect((await serve({ device: onBus, path })()).body).toEqual({ value: 1 });
  const labelled = serve({ device: "tank", path });
  removeFile("/sys/bus/iio/devices/tank");
  expect((await labelled()).body).toEqual({ value: 2 });
});
