/** The limits of the process: one place for them, whatever servers there are. */
import { beforeEach, expect, test, vi } from "vitest";

const limited: string[] = [];

/** @returns what an application imports, in a process of its own. */
async function application(): Promise<typeof import("../../../ts/nound.ts")> {
  const call = (callee: () => unknown) => callee();
  const limitCalls = (limit: number) => limited.push(`calls ${limit}`);
  const limitMemory = (limit: number) => limited.push(`memory ${limit}`);
  vi.resetModules();
  vi.doMock("nound:interruption", () => ({ limitCalls, call, exempt: call, isInterruption: () => false }));
  vi.doMock("nound:memory", () => ({ limitMemory, isScarce: () => false }));
  const imported = await import("../../../ts/nound.ts");
  vi.doUnmock("nound:interruption");
  vi.doUnmock("nound:memory");
  // Other tests are to get the usual modules again.
  vi.resetModules();
  return imported;
}

beforeEach(() => {
  limited.length = 0;
});

test("the default limits hold once the first server listens, and are set once", async () => {
  const { Server } = await application();
  expect(limited).toEqual([]);
  const [server, other] = [new Server(), new Server({ limits: { maxConnections: 1 } })];
  expect(limited).toEqual([]);
  server.listen("127.0.0.1:8080");
  expect(limited).toEqual(["calls 1000", "memory 33554432"]);
  other.listen("127.0.0.1:8081");
  expect(limited).toHaveLength(2);
});

test("what was chosen stays, however many servers listen after it", async () => {
  const { limitProcess, Server } = await application();
  limitProcess({ memoryBytes: 8_388_608 });
  new Server().listen("127.0.0.1:8080");
  new Server().listen("127.0.0.1:8081");
  expect(limited).toEqual(["calls 1000", "memory 8388608"]);
});

test("a later choice takes the place of an earlier one", async () => {
  const { limitProcess, Server } = await application();
  new Server().listen("127.0.0.1:8080");
  limited.length = 0;
  limitProcess({ nounBusyTime: 50 });
  expect(limited).toEqual(["calls 50", "memory 33554432"]);
});

test("what is no limit is refused, naming it, and nothing changes", async () => {
  const { limitProcess } = await application();
  expect(() => limitProcess({ memoryBytes: 0 })).toThrow("The limit memoryBytes must be a positive whole number.");
  expect(() => limitProcess({ bodyBytes: 1 } as object)).toThrow("There is no limit bodyBytes.");
  expect(limited).toEqual([]);
});
