/** `npm start`, as the README says: a demonstration, built by the system's compiler. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { freeAddress, isListening } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { top } from "../harness/top.ts";

test("npm start serves the demonstration, in few lines, until Ctrl-C", async () => {
  const address = await freeAddress();
  const options = { cwd: top, detached: true } as const;
  const started = spawn("npm", ["start", "--silent", "--", "--listen", address], options);
  let printed = "";
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const ended = new Promise((resolve) => started.once("close", resolve));
  await eventually(`it serves: ${printed}`, () => isListening(address) || started.exitCode !== null);
  const answer = await fetch(`http://${address}/led`);
  expect(await answer.json()).toEqual({ led: 0 });
  await eventually("it says where", () => printed.includes(`open http://${address}/`));
  expect(printed.trimEnd().split("\n").length).toBeLessThanOrEqual(5);
  // As a terminal sends it: to all of the group.
  process.kill(-(started.pid ?? 0), "SIGINT");
  await ended;
  expect(isListening(address)).toBe(false);
});
