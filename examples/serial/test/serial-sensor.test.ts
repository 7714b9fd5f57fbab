import { Server } from "nound";
import { advance, request, reset, serialLine } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { serialSensor } from "../src/serial-sensor.ts";

const path = "/dev/ttyUSB0";
let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("sensor", serialSensor(path));
});

/** Makes the sensor answer each question. */
function answerWith(text: string): void {
  const line = serialLine(path);
  line.onBytes = (bytes) => {
    if (bytes === "T?\n") line.send(text);
  };
}

test("GET asks the sensor", async () => {
  answerWith("21.5\r\n");
  expect(await request(server, { path: "/sensor" })).toMatchObject({ status: 200, body: { celsius: 21.5 } });
});

test("two questions do not cross on the line", async () => {
  const line = serialLine(path);
  const answers = [request(server, { path: "/sensor" }), request(server, { path: "/sensor" })];
  await advance(0);
  expect(line.take()).toBe("T?\n");
  line.send("21.5\n");
  await advance(0);
  expect(line.take()).toBe("T?\n");
  line.send("21.6\n");
  expect((await Promise.all(answers)).map(({ body }) => body)).toEqual([{ celsius: 21.5 }, { celsius: 21.6 }]);
});

test("a silent sensor gives 500 after half a second, and can be asked again", async () => {
  const silent = request(server, { path: "/sensor" });
  await advance(500);
  expect((await silent).status).toBe(500);
  answerWith("-3\n");
  expect((await request(server, { path: "/sensor" })).body).toEqual({ celsius: -3 });
});

test("a sensor that talks nonsense gives 500", async () => {
  answerWith("ERR 4\n");
  expect((await request(server, { path: "/sensor" })).status).toBe(500);
});

test("an unplugged sensor gives 500, and works again once it is plugged in", async () => {
  const asked = request(server, { path: "/sensor" });
  await advance(0);
  serialLine(path).unplug();
  expect((await asked).status).toBe(500);
  answerWith("22\n");
  expect((await request(server, { path: "/sensor" })).body).toEqual({ celsius: 22 });
});

test("a measurement cannot be set", async () => {
  expect((await request(server, { method: "PUT", path: "/sensor", body: {} })).status).toBe(405);
});
