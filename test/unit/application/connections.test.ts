/** When an application forks the connector, and what that may connect to. */
import { beforeEach, expect, test } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { restrict, Server } from "../../../ts/nound.ts";
import { advance, reset } from "../../../ts/testing.ts";

const mqtt = { server: "192.0.2.1:1883", id: "hall" };

beforeEach(reset);

/** Makes a server with a broker, which asks for its connection within 10 s. */
function listen(): void {
  new Server({ mqtt }).listen("127.0.0.1:8080");
}

test("a program that connects to nothing forks none", () => {
  new Server().listen("127.0.0.1:8080");
  restrict();
  expect(world().connector.targets).toBeUndefined();
});

test("a restricted program forks it with its broker and the servers that it asks", () => {
  listen();
  expect(world().connector.targets).toBeUndefined();
  restrict({ connect: ["192.0.2.10:8080", "192.0.2.1:1883"] });
  // What the application asks at the broker's address is another use of it.
  expect(world().connector.targets).toEqual(["192.0.2.1:1883", "192.0.2.10:8080", "192.0.2.1:1883"]);
});

test("a program that keeps its rights forks it when its broker is first connected to", async () => {
  listen();
  await advance(10_000);
  expect(world().connector.targets).toEqual(["192.0.2.1:1883"]);
  expect(world().connector.questions).toMatchObject([{ target: 0 }]);
});
