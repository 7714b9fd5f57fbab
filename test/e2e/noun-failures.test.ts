/** Nouns that fail, refuse, talk nonsense or never answer, and what the client sees of it. */
import { describe, expect, test } from "vitest";
import { slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectProblem, expectState, stateOf } from "../harness/expected-response.ts";
import { startApplication } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";

const application = forAllTests(() => startApplication({ nounTimeout: ample, shutdownTimeout: 300 }));

/** How often the loop had to report what nobody handled. A noun's failure is the server's to handle. */
async function unhandled(): Promise<{ errors: number; rejections: number }> {
  const connection = await RawConnection.open(application().address);
  connection.send(get("/stray"));
  const { errors, rejections } = stateOf(await connection.response());
  connection.drop();
  return { errors: Number(errors), rejections: Number(rejections) };
}

const failures = [
  "throwing",
  "rejecting",
  "rejecting-later",
  "throwing-text",
  "throwing-undefined",
  "throwing-null",
  "throwing-status",
  "throwing-an-error-with-a-getter",
  "rejecting-undefined",
  "recursing",
];

test.each(failures)("a noun that fails by %s gives 500, keeps the connection and does not say why", async (name) => {
  const before = await unhandled();
  const connection = await RawConnection.open(application().address);
  connection.send(put(`/${name}`, { a: 1 }) + post(`/${name}`) + del(`/${name}`) + get(`/${name}`) + get("/plain"));
  for (let operation = 0; operation < 3; operation++) {
    expectProblem(await connection.response(), 500, "keep");
  }
  expectState(await connection.response(), { intact: true });
  expectState(await connection.response(), { plain: true });
  expect(await unhandled()).toEqual(before);
});

// The unit tests have more of them (wire-contract/noun-answers.test.ts): those that depend on the engine are here.
const nonsense = [
  "undefined",
  "symbol",
  "infinity",
  "big-integer",
  "lone-surrogate",
  "cycle",
  "getter",
  "proxy",
  "thenable",
].flatMap((what) => [`returns-${what}`, `resolves-${what}`]);

test.each(nonsense)("a noun that %s gives 500 to each verb and keeps the connection", async (name) => {
  const before = await unhandled();
  const connection = await RawConnection.open(application().address);
  connection.send(get(`/${name}`) + put(`/${name}`, {}) + post(`/${name}`) + del(`/${name}`) + get("/plain"));
  for (let operation = 0; operation < 4; operation++) {
    expectProblem(await connection.response(), 500, "keep");
  }
  expectState(await connection.response(), { plain: true });
  expect(await unhandled()).toEqual(before);
});

test.each(["refusing", "refusing-later"])(
  "a state that a noun is %s gets 422 with the noun's own words",
  async (name) => {
    const connection = await RawConnection.open(application().address);
    connection.send(put(`/${name}`, { speed: 7 }) + post(`/${name}`, { speed: 7 }) + get(`/${name}`));
    for (let operation = 0; operation < 2; operation++) {
      const detail = expectProblem(await connection.response(), 422, "keep");
      expect(detail).toContain("The fan turns at 0 or at 30 to 100 percent, not in between.");
    }
    expectState(await connection.response(), { intact: true });
  },
);

describe("a noun that does not answer in time", () => {
  const nounTimeout = 400 * slowness;
  const application = forAllTests(() => startApplication({ nounTimeout, shutdownTimeout: 300 }));

  test.each([
    ["GET", get("/never")],
    ["PUT", put("/never", {})],
    ["POST", post("/never")],
    ["DELETE", del("/never")],
  ])("gives 503 to %s and keeps the connection", async (_, bytes) => {
    const connection = await RawConnection.open(application().address);
    connection.send(bytes + get("/plain"));
    expectProblem(await connection.response(), 503, "keep");
    expectState(await connection.response(), { plain: true });
  });

  test("never gets an operation whose client got 503 while it waited for its turn", async () => {
    const clearing = await RawConnection.open(application().address);
    clearing.send(del("/journal"));
    expectState(await clearing.response(), { entries: "" });
    const first = await RawConnection.open(application().address);
    const second = await RawConnection.open(application().address);
    first.send(put("/one", { mark: "long", delay: "gate" }));
    await eventually("the first operation has begun", async () => {
      clearing.send(get("/journal"));
      const { entries } = stateOf(await clearing.response());
      return entries === "+long";
    });
    second.send(put("/one", { mark: "refused", delay: 0 }));
    expectProblem(await first.response(), 503, "keep");
    expectProblem(await second.response(), 503, "keep");
    clearing.send(post("/gate"));
    expectState(await clearing.response(), {});
    second.send(get("/one"));
    expectState(await second.response(), { mark: "long", delay: "gate" });
    clearing.send(get("/journal"));
    expectState(await clearing.response(), { entries: "+long, -long" });
  });

  test("may fail long after that; the service goes on and the failure is handled", async () => {
    const application = await startApplication({ nounTimeout: 100 * slowness, shutdownTimeout: 300 });
    try {
      const connection = await RawConnection.open(application.address);
      connection.send(post("/late", { after: 300 * slowness }));
      expectState(await connection.response(), { after: 300 * slowness });
      connection.send(get("/late"));
      expectProblem(await connection.response(), 503, "keep");
      connection.send(del("/late"));
      // DELETE waits for its turn behind the late GET, or gets 503 while it does.
      expect([200, 503]).toContain((await connection.response()).status);
      await eventually("the late noun serves again", async () => {
        connection.send(del("/late"));
        return (await connection.response()).status === 200;
      });
      connection.send(get("/stray"));
      expectState(await connection.response(), { errors: 0, rejections: 0 });
    } finally {
      expect(await application.stop()).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
    }
  });
});

test("what a noun throws from its own timer, or leaves rejected, is reported and the service goes on", async () => {
  const before = await unhandled();
  const connection = await RawConnection.open(application().address);
  connection.send(post("/stray", { a: 1 }));
  expectState(await connection.response(), { a: 1 });
  await eventually("both are reported", async () => {
    const { errors, rejections } = await unhandled();
    return errors === before.errors + 1 && rejections === before.rejections + 1;
  });
});

test("a noun with a shape lets an update leave keys out, and refuses unknown ones and bad values in it", async () => {
  const connection = await RawConnection.open(application().address);
  connection.send(del("/shaped") + post("/shaped", { level: 7 }));
  const before = stateOf(await connection.response());
  expectState(await connection.response(), { ...before, level: 7 });
  connection.send(post("/shaped", { level: 101 }) + post("/shaped", { other: 1 }));
  expectProblem(await connection.response(), 422, "keep");
  expectProblem(await connection.response(), 422, "keep");
  connection.send(get("/shaped"));
  expectState(await connection.response(), { ...before, level: 7 });
});
