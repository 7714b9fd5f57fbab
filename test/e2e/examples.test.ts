/** The applications in examples/, as the README of each says: run by the program, on simulated hardware, and asked. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { NoundProcess } from "../harness/nound-process.ts";
import { patience } from "../harness/patience.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { request, requestWithBody, utf8 } from "../harness/request.ts";
import { endedByThisTest } from "../harness/served.ts";

const folder = resolve(import.meta.dirname, "../../examples");
const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, "src/main.ts")));

/** A command of a README, and the result that it promises. */
interface Step {
  readonly bytes: string;
  readonly inBackground: boolean;
  readonly answer: string | undefined;
}

function parseCurl(command: string): string {
  const [, target = "/"] = /http:\/\/127\.0\.0\.1:8080(\/\S+)/.exec(command) ?? [];
  const [, body] = /--json '([^']*)'/.exec(command) ?? [];
  const [, method = body === undefined ? "GET" : "POST"] = /-X (\w+)/.exec(command) ?? [];
  return body === undefined ? request(method, target) : requestWithBody(method, target, utf8(body));
}

function stepsOf(readme: string): readonly Step[] {
  const [, console = ""] = /```console\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = console.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("$ curl ")) return [];
    const command = line.replace(/\s+#.*$/, "");
    const next = lines[index + 1];
    const answer = next?.startsWith("{") ? next : undefined;
    return [{ bytes: parseCurl(command), inBackground: command.endsWith(" &"), answer }];
  });
}

/** What depends on the moment; that it is there is enough. */
const momentary = { lit: false, current: 0, sinceRing: 0 };

function settled(text: string): unknown {
  const state = JSON.parse(text) as Record<string, unknown>;
  for (const [key, value] of Object.entries(momentary)) if (typeof state[key] === typeof value) state[key] = value;
  return state;
}

async function start(example: string): Promise<NoundProcess> {
  const bundle = await bundleApplication(join("examples", example, "src/main.ts"));
  const address = await freeAddress();
  writeFileSync(bundle, readFileSync(bundle, "utf8").replace('"127.0.0.1:8080"', JSON.stringify(address)));
  const nound = endedByThisTest(new NoundProcess(["--simulate"], address, { application: bundle }));
  await nound.listening();
  return nound;
}

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(4);
});

describe.each(examples)("examples/%s", (example) => {
  test("does what its README says, and ends in order", async () => {
    const steps = stepsOf(readFileSync(join(folder, example, "README.md"), "utf8"));
    expect(steps.length).toBeGreaterThan(2);
    const nound = await start(example);
    for (const [index, { bytes, inBackground, answer }] of steps.entries()) {
      if (inBackground) {
        (await RawConnection.open(nound.address)).send(bytes);
        continue;
      }
      const ask = async () => {
        const connection = await RawConnection.open(nound.address);
        connection.send(bytes);
        const { body } = await connection.response();
        connection.drop();
        return answer === undefined ? undefined : settled(body.toString());
      };
      const promised = answer === undefined ? undefined : settled(answer);
      // The kernel may hand over two connections in either order: the server begins with the one in the background some
      // time.
      if (steps[index - 1]?.inBackground === true) {
        await expect.poll(ask, { timeout: patience }).toEqual(promised);
      } else expect(await ask()).toEqual(promised);
    }
    expect(await nound.stop()).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
  });
});
