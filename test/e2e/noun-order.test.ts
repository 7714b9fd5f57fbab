/** The order of operations: one after the other on one noun, independent of each other on different nouns. */
import { beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { expectState, stateOf } from "../harness/expected-response.ts";
import { startApplication } from "../harness/nound-process.ts";
import { openDescriptors } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";

const limits = { nounTimeout: ample, shutdownTimeout: 300 };
const application = forAllTests(() => startApplication(limits));
const gated = { mark: "gated", delay: "gate" };

async function journal(): Promise<string> {
  const connection = await RawConnection.open(application().address);
  connection.send(get("/journal"));
  const { entries } = stateOf(await connection.response());
  connection.drop();
  return String(entries);
}

beforeEach(async () => {
  await eventually("an empty journal", async () => {
    const connection = await RawConnection.open(application().address);
    connection.send(del("/journal"));
    expectState(await connection.response(), { entries: "" });
    connection.drop();
    return true;
  });
});

async function openGate(): Promise<void> {
  const connection = await RawConnection.open(application().address);
  connection.send(post("/gate"));
  expectState(await connection.response(), {});
  connection.drop();
}

/** Begins an operation on `/one` that ends when the gate is opened. */
async function beginGated(): Promise<RawConnection> {
  const connection = await RawConnection.open(application().address);
  connection.send(put("/one", gated));
  await eventually("the gated one has begun", async () => (await journal()) === "+gated");
  return connection;
}

test("operations on one noun run one after the other, in the order in which they came", async () => {
  const first = await beginGated();
  const others = [];
  // The earlier ones take longer: run side by side, they would be overtaken.
  for (const [mark, delay] of [
    ["b", 40],
    ["c", 20],
    ["d", 1],
    ["e", 0],
  ] as const) {
    const connection = await RawConnection.open(application().address);
    // The kernel may hand over two connections in either order. The answer to the first request says that the second
    // has arrived, and a round trip of another connection that the server has looked at it.
    connection.send(get("/plain") + put("/one", { mark, delay }));
    expectState(await connection.response(), { plain: true });
    others.push({ connection, state: { mark, delay } });
    expect(await journal()).toBe("+gated");
  }
  await openGate();
  expectState(await first.response(), gated);
  for (const { connection, state } of others) {
    expectState(await connection.response(), state);
  }
  expect(await journal()).toBe("+gated, -gated, +b, -b, +c, -c, +d, -d, +e, -e");
});

test("an operation that answers at once still waits for the slow one before it", async () => {
  const slow = await beginGated();
  const quick = await RawConnection.open(application().address);
  quick.send(post("/ONE", { mark: "quick", delay: 0 }) + get("/%6fne"));
  expect(await journal()).toBe("+gated");
  await openGate();
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expect(await journal()).toBe("+gated, -gated, +quick, -quick");
  expectState(await slow.response(), gated);
});

test("different nouns do not wait for one another", async () => {
  const slow = await beginGated();
  const quick = await RawConnection.open(application().address);
  quick.send(put("/other", { mark: "quick", delay: 0 }) + get("/other"));
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expect(await journal()).toBe("+gated, +quick, -quick");
  await openGate();
  expectState(await slow.response(), gated);
});

test("pipelined requests to different nouns are answered in order, the slow one first", async () => {
  const slow = await beginGated();
  slow.send(put("/other", { mark: "quick", delay: 0 }) + get("/plain"));
  await journal();
  expect(slow.unread).toBe("");
  await openGate();
  expectState(await slow.response(), gated);
  expectState(await slow.response(), { mark: "quick", delay: 0 });
  expectState(await slow.response(), { plain: true });
});

test("a hundred pipelined operations on a slow noun all run, in order", async () => {
  const connection = await RawConnection.open(application().address);
  const marks = Array.from({ length: 100 }, (_, index) => String(index));
  connection.send(marks.map((mark) => put("/one", { mark, delay: 1 })).join(""));
  for (const mark of marks) {
    expectState(await connection.response(), { mark, delay: 1 });
  }
  expect(await journal()).toBe(marks.map((mark) => `+${mark}, -${mark}`).join(", "));
});

test("a client that half-closes behind a slow request still gets its answer", async () => {
  const connection = await beginGated();
  connection.finish();
  await openGate();
  expectState(await connection.response(), gated, "open");
  await connection.closedInOrder();
});

test("clients that vanish before their answers leave no descriptor behind and the noun free", async () => {
  const application = forThisTest(await startApplication(limits));
  const before = openDescriptors(application.pid);
  const watcher = await RawConnection.open(application.address);
  for (let index = 0; index < 10; index++) {
    const connection = await RawConnection.open(application.address);
    connection.send(put("/one", gated));
    await eventually("it is under way", async () => {
      watcher.send(get("/journal"));
      const { entries } = stateOf(await watcher.response());
      return String(entries).split("+gated").length === index + 2;
    });
    connection.reset();
    await eventually("its descriptor is closed", () => openDescriptors(application.pid) === before + 1);
    watcher.send(post("/gate"));
    expectState(await watcher.response(), {});
  }
  watcher.send(put("/one", { mark: "free", delay: 0 }));
  expectState(await watcher.response(), { mark: "free", delay: 0 });
});
