/** The order of operations: one after the other on one noun, independent of each other on different nouns. */
import { beforeEach, expect, test } from "vitest";
import { slowness } from "./harness/environment.ts";
import { eventually } from "./harness/eventually.ts";
import { expectState, stateOf } from "./harness/expected-response.ts";
import { startApplication } from "./harness/nound-process.ts";
import { openDescriptors } from "./harness/process-status.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { del, get, post, put } from "./harness/request.ts";
import { forAllTests, forThisTest } from "./harness/served.ts";

const application = forAllTests(() => startApplication({ closeTime: 300 }));
const long = 300 * slowness;

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

test("operations on one noun run one after the other, in the order in which they came", async () => {
  const connections = [];
  for (const mark of ["a", "b", "c", "d", "e"]) {
    const connection = await RawConnection.open(application().address);
    // The later ones are quicker: run side by side, they would overtake.
    connection.send(put("/one", { mark, delay: mark === "a" ? long : 1 }));
    connections.push({ connection, mark });
    if (mark === "a") {
      await eventually("the first has begun", async () => (await journal()) === "+a");
    }
    // A round trip of its own: what was sent before it has arrived before it.
    await journal();
  }
  for (const { connection, mark } of connections) {
    expectState(await connection.response(), { mark, delay: mark === "a" ? long : 1 });
  }
  expect(await journal()).toBe("+a, -a, +b, -b, +c, -c, +d, -d, +e, -e");
});

test("an operation that answers at once still waits for the slow one before it", async () => {
  const slow = await RawConnection.open(application().address);
  slow.send(put("/one", { mark: "slow", delay: long }));
  await eventually("the slow one has begun", async () => (await journal()) === "+slow");
  const quick = await RawConnection.open(application().address);
  quick.send(post("/ONE", { mark: "quick", delay: 0 }) + get("/%6fne"));
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expect(await journal()).toBe("+slow, -slow, +quick, -quick");
  expectState(await slow.response(), { mark: "slow", delay: long });
});

test("different nouns do not wait for one another", async () => {
  const slow = await RawConnection.open(application().address);
  const quick = await RawConnection.open(application().address);
  slow.send(put("/one", { mark: "slow", delay: long }));
  await eventually("the slow one has begun", async () => (await journal()) === "+slow");
  quick.send(put("/other", { mark: "quick", delay: 0 }));
  expectState(await quick.response(), { mark: "quick", delay: 0 });
  expect(await journal()).toBe("+slow, +quick, -quick");
  expectState(await slow.response(), { mark: "slow", delay: long });
});

test("pipelined requests to different nouns are answered in order, the slow one first", async () => {
  const connection = await RawConnection.open(application().address);
  connection.send(
    put("/one", { mark: "slow", delay: long }) + put("/other", { mark: "quick", delay: 0 }) + get("/plain"),
  );
  expectState(await connection.response(), { mark: "slow", delay: long });
  expectState(await connection.response(), { mark: "quick", delay: 0 });
  expectState(await connection.response(), { plain: true });
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
  const connection = await RawConnection.open(application().address);
  connection.send(put("/one", { mark: "slow", delay: long }));
  connection.finish();
  expectState(await connection.response(), { mark: "slow", delay: long }, "open");
  await connection.closedInOrder();
});

test("a client that vanishes before its answer leaves no descriptor behind and the noun free", async () => {
  const application = forThisTest(await startApplication({ closeTime: 300 }));
  const before = openDescriptors(application.pid);
  const watcher = await RawConnection.open(application.address);
  for (let index = 0; index < 10; index++) {
    const connection = await RawConnection.open(application.address);
    connection.send(put("/one", { mark: "gone", delay: long / 10 }));
    await eventually("it is under way", async () => {
      watcher.send(get("/journal"));
      const { entries } = stateOf(await watcher.response());
      return String(entries).split("+gone").length > index + 1;
    });
    connection.reset();
  }
  await eventually("the descriptors are closed", () => openDescriptors(application.pid) === before + 1);
  watcher.send(put("/one", { mark: "free", delay: 0 }));
  expectState(await watcher.response(), { mark: "free", delay: 0 });
});
