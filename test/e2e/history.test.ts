/** The history of a noun as CSV: who gets it, that a reload keeps it, and what it takes when it is switched off. */
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Configuration } from "../harness/configuration.ts";
import { memoryNotJudged } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { ownMemory } from "../harness/process-status.ts";
import { Service } from "../harness/reloaded-service.ts";
import { forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

const csv = "text/csv; charset=utf-8; header=present";
const nouns = {
  tank: { kind: "value", shape: { percent: { type: "number" } }, default: { percent: 40 } },
  note: { kind: "value", default: { text: "" } },
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
} as const satisfies Configuration["nouns"];

interface Asked {
  readonly accept?: string;
  readonly method?: string;
  readonly token?: string;
  readonly fields?: { readonly [name: string]: string };
}

async function ask(address: string, path: string, { accept = "text/csv", method = "GET", token, fields }: Asked = {}) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://${address}${path}`, { method, headers: { accept, ...authorization, ...fields } });
  return {
    status: answer.status,
    headers: answer.headers,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
}

async function put(address: string, path: string, state: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`http://${address}${path}`, { method: "PUT", headers, body: JSON.stringify(state) });
  expect(status).toBe(200);
}

/** @returns the values of the key in the last line, once it has some: the last one, the smallest and the largest. */
async function latest(address: string, path: string): Promise<readonly number[]> {
  const { text } = await ask(address, path);
  return (text.trimEnd().split("\r\n").at(-1) ?? "").split(",").slice(1).map(Number);
}

test("a client that prefers CSV gets the history of a noun, and any other one its state", async () => {
  const { address } = forThisTest(await startNound({ nouns, documents: ["history 65536", "page", "metrics"] }));
  await eventually("the first value", async () => (await latest(address, "/tank"))[0] === 40);
  await put(address, "/tank", { percent: 12.5 });
  await eventually("the second value", async () => (await latest(address, "/tank"))[0] === 12.5);
  const { status, headers, type, text } = await ask(address, "/tank");
  expect([status, type, headers.get("cache-control"), headers.get("etag")]).toEqual([200, csv, "no-store", null]);
  expect(headers.get("vary")).toBe("Accept");
  expect(text).toMatch(/^time,percent,percent min,percent max\r\n(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,.*\r\n)+$/);
  // A minute may pass at any moment: then there is one line more.
  const rows = text.split("\r\n").slice(1, -1);
  const [last, ...values] = [rows.at(-1) ?? "", ...rows].map((row) => row.split(",").slice(1).map(Number));
  expect(last?.[0]).toBe(12.5);
  expect([Math.min(...values.map(([, least]) => least ?? 0)), Math.max(...values.map((row) => row[2] ?? 0))]).toEqual([
    12.5, 40,
  ]);
  const head = await ask(address, "/TANK", { method: "HEAD" });
  expect([head.status, head.type]).toEqual([200, csv]);
  const lengths = [text.length, (await ask(address, "/tank")).text.length].map(String);
  expect(lengths).toContain(head.headers.get("content-length"));
  for (const accept of ["*/*", "text/csv, */*", "text/csv;q=0.5, application/json", "text/csv;q=0", "text/csv;q=x"]) {
    expect((await ask(address, "/tank", { accept })).text).toBe('{"percent":12.5}');
  }
  for (const accept of ["TEXT/CSV", "text/csv, */*;q=0.9", "application/json;q=0.2, text/csv; q=0.3"]) {
    expect((await ask(address, "/tank", { accept })).type).toBe(csv);
  }
  // A noun without numbers has a state all the same, and so have all nouns together.
  expect((await ask(address, "/note")).text).toBe('{"text":""}');
  expect((await ask(address, "/")).type).toBe("application/json");
  expect((await ask(address, "/nothing")).status).toBe(404);
  expect((await ask(address, "/tank", { fields: { "if-match": '"a"' } })).status).toBe(412);
});

test("a token gets the history of the nouns that it may read", async () => {
  const guest = await makeToken("guest");
  const file = tokenFile(guest.line.replace("GET,PUT,POST,DELETE *", "GET led"));
  const { address } = forThisTest(await startNound({ nouns, access: { tokens: file } }));
  const { token } = guest;
  expect((await ask(address, "/led", { token })).type).toBe(csv);
  expect((await ask(address, "/tank", { token })).status).toBe(403);
  expect((await ask(address, "/led")).status).toBe(401);
});

test("without the setting it begins with the first who asks, and with 0 never", async () => {
  const { address } = forThisTest(await startNound({ nouns }));
  expect((await ask(address, "/led")).type).toBe(csv);
  await eventually("a value", async () => (await latest(address, "/led"))[0] === 0);
  const off = forThisTest(await startNound({ nouns, documents: ["page"] }));
  expect((await ask(off.address, "/led")).text).toBe('{"led":0}');
});

test("a reload keeps it", async () => {
  const service = await Service.start(nouns, { documents: ["history 65536", "page", "metrics"] });
  const { address } = service;
  await service.ask("PUT", "/tank", { percent: 90 });
  await eventually("the first value", async () => (await latest(address, "/tank"))[0] === 90);
  await service.ask("PUT", "/tank", { percent: 50 });
  await eventually("the second value", async () => (await latest(address, "/tank"))[0] === 50);
  service.configure({ ...nouns, other: nouns.tank }, { documents: ["history 65536", "page", "metrics"] });
  await service.reload();
  await eventually("the noun that is new", async () => (await latest(address, "/other"))[0] === 40);
  const rows = (await ask(address, "/tank")).text.split("\r\n").slice(1, -1);
  expect(Math.max(...rows.map((row) => Number(row.split(",")[3])))).toBe(90);
});

test("what is kept over a restart goes on after it, and nothing of a file that is damaged", async () => {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const settings = { nouns, documents: ["history 65536 restore"], stateDirectory };
  const most = async (address: string): Promise<number> => {
    const rows = (await ask(address, "/tank")).text.split("\r\n").slice(1, -1);
    return Math.max(...rows.map((row) => Number(row.split(",")[3])));
  };
  const first = await startNound(settings);
  await put(first.address, "/tank", { percent: 90 });
  await eventually("the value", async () => (await latest(first.address, "/tank"))[0] === 90);
  expect((await first.stop()).status).toBe(0);
  const second = await startNound(settings);
  await eventually("the value of the start", async () => (await latest(second.address, "/tank"))[0] === 40);
  expect(await most(second.address)).toBe(90);
  expect((await second.stop()).status).toBe(0);
  writeFileSync(`${stateDirectory}/history`, '{"interval":60000,"now":1,"wall":1,"nouns":[[[]]]}');
  const third = forThisTest(await startNound(settings));
  await eventually("the value of the start", async () => (await latest(third.address, "/tank"))[0] === 40);
  expect(await most(third.address)).toBe(40);
});

const reason = memoryNotJudged === undefined ? "" : ` (skipped: ${memoryNotJudged})`;

test.skipIf(memoryNotJudged !== undefined)(
  `what is switched off takes no memory, and what is on takes it once${reason}`,
  async () => {
    const names = Array.from({ length: 16 }, (_, index) => `tank${index}`);
    const tanks = Object.fromEntries(names.map((name) => [name, nouns.tank]));
    const memoryOfOne = async (documents: readonly string[] | undefined, accept: string): Promise<number> => {
      const { address, pid } = forThisTest(await startNound({ nouns: tanks, ...(documents && { documents }) }));
      for (const name of names) expect((await ask(address, `/${name}`, { accept })).status).toBe(200);
      return ownMemory(pid) * 1_024;
    };
    // A heap may have some free pages more, so the least of three starts is what it needs.
    const memoryOf = async (documents?: readonly string[], accept = "application/json, text/csv;q=0.5") =>
      Math.min(
        await memoryOfOne(documents, accept),
        await memoryOfOne(documents, accept),
        await memoryOfOne(documents, accept),
      );
    const [plain, off, on] = [
      await memoryOf(),
      await memoryOf(["metrics"], "text/csv"),
      await memoryOf(["history 65536"], "text/csv"),
    ];
    // Neither its code nor its memory is there: the rest is within a page or two of chance.
    expect(off - plain).toBeLessThanOrEqual(8_192);
    // With the numbers, the code, and what follows sixteen nouns. A plain server has 40 KB more or less, by the free
    // pages that its heap has just given back. So the whole is judged.
    expect(on).toBeLessThanOrEqual(1_450_000);
  },
);
