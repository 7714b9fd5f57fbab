/** A resolver that lies: the connector outlives each answer, and connects when the resolver is honest again. */
import { createServer } from "node:net";
import { freePort } from "../../harness/address.ts";
import { eventually } from "../../harness/eventually.ts";
import { configurationFile, NoundProcess } from "../../harness/nound-process.ts";
import { type BrokerCase, must } from "../case.ts";
import { honest, records, typeOf } from "../honest-resolver.ts";
import { Random } from "../random.ts";
import { withResolver } from "../resolver.ts";

const lies = 300;

/** Asks the connector for its only target with each SIGHUP, and prints what comes of it. */
const asking = (target: string): string => `
  import { connect, start } from "nound:connector";
  import { exit, onSignal, setTimer } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { printOutput } from "nound:system";
  setTimer(() => undefined, 3_600_000);
  start([${JSON.stringify(target)}], () => printOutput("the connector has ended\\n"));
  restrict();
  onSignal((name) => {
    if (name !== "SIGHUP") exit(0);
    connect(0, 10_000, (socket, reason) => {
      printOutput("answer: " + (socket === undefined ? reason : "connected") + "\\n");
      socket?.close();
    });
  });
  printOutput("ready\\n");
`;

/** @returns what a lying resolver answers. */
function lie(query: Buffer, random: Random): readonly Buffer[] {
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
  const [right = query] = honest(query);
  switch (random.below(10)) {
    case 0: // anything
      return [bytes(random.below(600))];
    case 1: // a broken answer
      return [Buffer.from(right.map((byte, index) => (index > 1 && random.below(8) === 0 ? random.below(256) : byte)))];
    case 2: // cut anywhere
      return [right.subarray(0, random.below(right.length))];
    case 3: // a name that points to itself
      return [records(query, 5, [Buffer.from([0xc0, query.length])])];
    case 4: // a chain of names
      return [
        records(
          query,
          5,
          Array.from({ length: 30 }, () => Buffer.from([3, 97, 98, 99, 0xc0, 12])),
        ),
      ];
    case 5: // addresses of other lengths
      return [records(query, typeOf(query), [bytes(random.below(40)), bytes(random.below(40))])];
    case 6: // addresses without end, all of this device
      return [
        records(
          query,
          1,
          Array.from({ length: 80 }, () => Buffer.from([127, 0, 0, 1 + random.below(200)])),
        ),
      ];
    case 7: // truncated, to be asked for by TCP, where nobody listens
      return [Buffer.concat([right.subarray(0, 2), Buffer.from([0x83]), right.subarray(3)])];
    case 8: // the answers of other questions, and a failure
      return [Buffer.concat([bytes(2), right.subarray(2)]), Buffer.concat([right.subarray(0, 3), Buffer.from([0x82])])];
    default: // more records than there are
      return [Buffer.concat([right.subarray(0, 6), Buffer.from([0xff, 0xff]), right.subarray(8)])];
  }
}

async function run(): Promise<string> {
  const seed = Date.now() % 1_000_000_000;
  const random = new Random(seed);
  let isHonest = false;
  const port = await freePort();
  const server = createServer((socket) => void socket.on("error", () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const answer = (query: Buffer): readonly Buffer[] => (isHonest ? honest(query) : lie(query, random));
  return await withResolver(answer, async (wrapper) => {
    const file = configurationFile(asking(`broker.example:${port}`));
    // Without a keeper, a SIGHUP reaches the program itself.
    const asks = new NoundProcess([], "", { application: file, wrapper, environment: { NOUND_KEEPER: "0" } });
    const answers = (): readonly string[] => asks.printed.match(/^answer: .*$/gm) ?? [];
    const next = async (): Promise<string> => {
      const before = answers().length;
      process.kill(asks.keeper, "SIGHUP");
      await eventually("the connector answers", () => answers().length > before || asks.printed.includes("has ended"));
      must(!asks.printed.includes("has ended"), `The connector has ended: ${asks.printed}`);
      return answers().at(-1) ?? "";
    };
    try {
      await eventually("the program is ready", () => asks.printed.includes("ready\n"));
      const { connector } = asks;
      for (let count = 0; count < lies; count++) await next();
      isHonest = true;
      const last = await next();
      must(last === "answer: connected", `After the lies: ${last}`);
      must(asks.connector === connector, "It is another connector.");
      const connected = answers().filter((text) => text === last).length - 1;
      return `${lies} lies, of which ${connected} led to an address that listens; seed ${seed}`;
    } catch (error) {
      throw new Error(
        `Seed ${seed}: ${error instanceof Error ? error.message : String(error)}; after ${answers().length}`,
      );
    } finally {
      asks.kill();
      server.close();
    }
  });
}

/** The case. */
export const resolver: readonly BrokerCase[] = [{ name: "a lying resolver", run }];
