/** A noun for an attribute in a folder whose number changes at each start. */
import { beforeEach, expect, test } from "vitest";
import { Server, sysfsNoun } from "../../../ts/nound.ts";
import { putFile, removeFile, request, reset } from "../../../ts/testing.ts";

const chip = "/sys/bus/i2c/devices/1-0048/hwmon";
const path = `${chip}/hwmon*/temp1_max`;

beforeEach(reset);

test("the folder is found by its name, also when it comes back with another number", async () => {
  putFile(`${chip}/hwmon3/temp1_max`, "80000\n");
  const server = new Server();
  server.register("hottest", sysfsNoun({ path, scale: 0.001 }));
  const read = async () => (await request(server, { path: "/hottest" })).body;
  expect(await read()).toEqual({ value: 80 });
  removeFile(`${chip}/hwmon3`);
  putFile(`${chip}/hwmon12/temp1_max`, "70000\n");
  expect(await read()).toEqual({ value: 70 });
});

test("while a name fits none, or several, the noun fails", async () => {
  const noun = sysfsNoun({ path });
  await expect(noun.getState()).rejects.toThrow("absent");
  putFile(`${chip}/hwmon3/temp1_max`, "1\n");
  putFile(`${chip}/hwmon4/temp1_max`, "1\n");
  await expect(noun.getState()).rejects.toThrow("absent");
});
