/** Mistakes of who writes a noun: what clients see, and what the log says. */
import { beforeAll, expect, test } from "vitest";
import { bundleApplication, startBundle } from "../harness/bundled-application.ts";
import { hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { NoundProcess } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { endedByThisTest } from "../harness/served.ts";

let bundle = "";

beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/mistaken-application.ts");
});

async function ask(process: NoundProcess, request: string) {
  const connection = await RawConnection.open(process.address);
  connection.send(request);
  const response = await connection.response();
  connection.drop();
  return response;
}

test.each(["beyond", "beyond-later"])(
  "a state of /%s that is not of its shape is never sent: 500, and a line of the log",
  async (name) => {
    const running = endedByThisTest(await startBundle(bundle));
    expectProblem(await ask(running, get(`/${name}`)), 500, "keep");
    await eventually("the line is written", () =>
      running.printed.includes(
        `${name}: TypeError: The noun returned a state that does not fit its shape: the value of "level" must be a ` +
          `whole number from 0 to 100, but is 101.`,
      ),
    );
  },
);

test("a PUT that leaves the noun in a state other than the requested one is logged with requests only", async () => {
  const sentence =
    'clamped: a PUT asked for 70 in "level", but get gives 50: set the state of the PUT, or throw a StateError';
  const debugged = endedByThisTest(await startBundle(bundle, "--debug"));
  expectState(await ask(debugged, put("/clamped", { level: 70 })), { level: 50 });
  await eventually("the line is written", () => debugged.printed.includes(sentence));
  const silent = endedByThisTest(await startBundle(bundle));
  expectState(await ask(silent, put("/clamped", { level: 70 })), { level: 50 });
  // At its end, all that it had to say has come.
  const { status, stdout, stderr } = await silent.stop();
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr).not.toContain("clamped");
});

test.each(["careless", "chained"])(
  "a promise that /%s did not await names the noun when it is rejected",
  async (name) => {
    const running = endedByThisTest(await startBundle(bundle));
    expectState(await ask(running, put(`/${name}`, { level: 7 })), { level: 7 });
    await eventually("the line is written", () =>
      running.printed.includes(`${name}: a promise that nobody awaits was rejected: Error: the bus does not answer`),
    );
    await eventually("a rejected promise that belongs to no noun is reported, too", () =>
      running.printed.includes("unhandled rejection: Error: the bus does not answer"),
    );
  },
);

test.skipIf(hasSanitizers)("an application whose top level never ends is ended by a sentence", async () => {
  const running = endedByThisTest(new NoundProcess(["127.0.0.1:0", "endless"], "", { application: bundle }));
  // A build with sanitizers gives a start a minute of processor time: too long to wait for.
  const { status, stderr } = await running.ending();
  expect(status).toBe(70);
  expect(stderr).toMatch(
    /^nound: .*the start used the processor for \d+ s and was interrupted: a loop at the top level of the application does not end; use a timer for repeated work\n/,
  );
});
