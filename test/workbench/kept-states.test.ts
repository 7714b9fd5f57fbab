/** How `nound dev` reads the states of an application that it is about to replace. */
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { KeptStates } from "../../cli/dev/kept-states.mjs";
import { freePort } from "../harness/address.ts";
import { within } from "../harness/eventually.ts";

test("an application that ends in the middle of an answer does not keep the next version waiting", async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"led"'));
  onTestFinished(() => void server.close());
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const ports: number[] = [];
  await within("the states are read", new KeptStates((port) => ports.push(port)).keep(`127.0.0.1:${port}`));
  expect(ports).toHaveLength(2);
});
