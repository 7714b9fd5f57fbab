/** The first token of a device is for one client, after a press of its button. */
import { beforeEach, describe, expect, test } from "vitest";
import { tokensOf } from "../../../ts/core/access/token-file.ts";
import { gpioInputNoun, Server } from "../../../ts/nound.ts";
import { advance, pin, request, reset } from "../../../ts/testing.ts";

/** ms after which the device is no longer one that was just switched on. */
const start = 600_000;

let kept: string[];
/** Whether the token file can be written. */
let isWritable: boolean;
let server: Server;

function serve(button: string | undefined, atStart = false): void {
  server = new Server({
    access: { tokens: [] },
    pairing: {
      button,
      atStart,
      keep: (text) => {
        if (!isWritable) throw new Error("the disk is full");
        kept.push(text);
      },
    },
  });
  server.register("bell", gpioInputNoun({ line: "GPIO4", key: "pressed", presses: true, title: "Door bell" }));
}

beforeEach(() => {
  reset();
  kept = [];
  isWritable = true;
});

/** Asks as a page does, and lets the noun be read. */
async function ask(secret: string) {
  const answer = request(server, { method: "POST", path: "/page/pairing", body: { for: secret } });
  await advance(20);
  const { status, body } = await answer;
  return { status, body };
}

/** @returns the token that the answer to a question has. */
async function tokenFor(secret: string): Promise<string> {
  return String((await ask(secret)).body["token"]);
}

async function press(): Promise<void> {
  pin("GPIO4").press();
  await advance(50);
  pin("GPIO4").release();
  await advance(50);
}

const waits = { status: 200, body: { press: "Door bell" } };
const busy = { status: 409 };
const given = { status: 200, body: { token: expect.stringMatching(/^[0-9a-f]{40}$/) } };
const unknown = { status: 401 };

describe("with a button", () => {
  beforeEach(() => serve("bell"));

  test("10,000 questions without a press get no token, and write nothing", async () => {
    for (let count = 0; count < 10_000; count++) expect(await ask("mine")).toEqual(waits);
    expect(kept).toEqual([]);
  });

  test("after a press, the client that asks gets a token once, which then allows everything", async () => {
    expect(await ask("mine")).toEqual(waits);
    await press();
    const answer = await ask("mine");
    expect(answer).toEqual(given);
    expect(await ask("mine")).toEqual(answer);
    expect(kept).toEqual([]);
    const token = String(answer.body["token"]);
    expect(await ask(token)).toEqual(answer);
    expect(kept).toHaveLength(1);
    expect(tokensOf("tokens", kept[0] ?? "")).toMatchObject([{ name: "paired", nouns: ["*"] }]);
    expect(kept[0]).not.toContain(token);
    const headers = { authorization: `Bearer ${token}` };
    expect(await request(server, { path: "/bell", headers })).toMatchObject({ status: 200 });
    await press();
    for (const secret of ["mine", "other"]) expect(await ask(secret)).toMatchObject(unknown);
    expect(kept).toHaveLength(1);
  });

  test("the token counts as soon as the device says that it has kept it, and that connection ends", async () => {
    await ask("mine");
    await press();
    const token = await tokenFor("mine");
    // No time passes from here on.
    const kept = await request(server, { method: "POST", path: "/page/pairing", body: { for: token } });
    expect(kept).toMatchObject({ ...given, headers: { connection: "close" } });
    const headers = { authorization: `Bearer ${token}` };
    expect(await request(server, { path: "/page/pairing", headers })).toMatchObject({ status: 404 });
  });

  test("of two clients that ask at once, one gets a token, and the other one hears that it must wait", async () => {
    expect(await ask("mine")).toEqual(waits);
    expect(await ask("other")).toMatchObject(busy);
    await press();
    expect(await ask("other")).toMatchObject(busy);
    const token = await tokenFor("mine");
    expect(await ask("other")).toMatchObject(busy);
    expect(await ask(token)).toEqual(given);
    expect(await ask("other")).toMatchObject(unknown);
    expect(kept).toHaveLength(1);
  });

  test("a token that its client never confirmed is void, and the next client needs a press of its own", async () => {
    await ask("gone");
    await press();
    const token = await tokenFor("gone");
    await advance(6_000);
    expect(await ask("mine")).toEqual(waits);
    // It was a token once: now it is the text of one more client.
    expect(await ask(token)).toMatchObject(busy);
    expect(kept).toEqual([]);
    const headers = { authorization: `Bearer ${token}` };
    expect(await request(server, { path: "/bell", headers })).toMatchObject(unknown);
    await press();
    const other = await tokenFor("mine");
    expect(await ask(other)).toEqual(given);
  });

  test("a press before the question does not count, nor one that began before it", async () => {
    await press();
    expect(await ask("mine")).toEqual(waits);
    expect(await ask("mine")).toEqual(waits);
    await advance(10_000);
    pin("GPIO4").press();
    await advance(50);
    expect(await ask("mine")).toEqual(waits);
    pin("GPIO4").release();
    await advance(2_000);
    expect(await ask("mine")).toEqual(waits);
    await press();
    expect(await ask("mine")).toEqual(given);
  });

  test("a client that asks no more loses its turn, and a press after that is for nobody", async () => {
    expect(await ask("gone")).toEqual(waits);
    await advance(4_000);
    expect(await ask("mine")).toMatchObject(busy);
    await advance(1_500);
    await press();
    expect(await ask("mine")).toEqual(waits);
    expect(await ask("mine")).toEqual(waits);
    await press();
    expect(await ask("mine")).toEqual(given);
  });

  test("a token that cannot be written is given to nobody", async () => {
    isWritable = false;
    expect(await ask("mine")).toEqual(waits);
    await press();
    const token = await tokenFor("mine");
    expect(await ask(token)).toMatchObject({ status: 503 });
    const headers = { authorization: `Bearer ${token}` };
    expect(await request(server, { path: "/bell", headers })).toMatchObject(unknown);
    isWritable = true;
    expect(await ask(token)).toEqual(given);
  });

  test("everything else needs a token, and only a POST of JSON asks", async () => {
    expect(await request(server, { path: "/bell" })).toMatchObject(unknown);
    expect(await request(server, { path: "/page/pairing" })).toMatchObject({ status: 405 });
    const headers = { "content-type": "text/plain" };
    const form = request(server, { method: "POST", path: "/page/pairing", headers, body: { for: "mine" } });
    expect(await form).toMatchObject({ status: 415 });
    expect(await request(server, { method: "POST", path: "/page/pairing", body: {} })).toMatchObject({ status: 422 });
    await press();
    expect(kept).toEqual([]);
  });

  test("a button that fails, or is gone, lets nobody in", async () => {
    pin("GPIO4").fail(new Error("gone"));
    expect(await ask("mine")).toEqual(waits);
    await advance(3_000);
    pin("GPIO4").fail(undefined);
    pin("GPIO4").press();
    await advance(2_000);
    expect(await ask("mine")).toEqual(waits);
    server.unregister("bell");
    expect(await ask("mine")).toMatchObject({ status: 200, body: { press: "" } });
    expect(kept).toEqual([]);
  });
});

describe("after a start", () => {
  test("the first client gets a token in ten minutes, without a press", async () => {
    serve(undefined, true);
    const token = await tokenFor("mine");
    expect(await ask("other")).toMatchObject(busy);
    expect(await ask(token)).toEqual(given);
    expect(await ask("other")).toMatchObject(unknown);
  });

  test("later, nobody gets one without a press", async () => {
    serve("bell", true);
    await advance(start);
    for (let count = 0; count < 100; count++) expect(await ask("mine")).toEqual(waits);
    await press();
    expect(await ask("mine")).toEqual(given);
  });

  test("later, a device without a button asks for a start", async () => {
    serve(undefined, true);
    await advance(start);
    expect(await ask("mine")).toEqual({ status: 200, body: { press: "" } });
    expect(kept).toEqual([]);
  });
});

test("a device that does not pair knows no such question", async () => {
  server = new Server({ access: { tokens: [] } });
  expect(await request(server, { method: "POST", path: "/page/pairing", body: { for: "mine" } })).toMatchObject(
    unknown,
  );
});
