/** `access.required`: nound listens on the network only with a token file that has a token. */
import { beforeEach, describe, expect, test } from "vitest";
import { TestPlatform } from "./test-platform.ts";

const tokens = "/etc/nound/tokens";
const line = `panel GET * ${"0".repeat(64)}\n`;
const nouns = { led: { kind: "switch", key: "led" } };
const stateDirectory = "/var/lib/nound";
const modbusServer = (listen: string | readonly string[], more: object = {}) => ({
  modbusServer: { listen, registers: { coil: { 0: "led.led" } }, ...more },
});
const open = (address: string) => `the network reaches ${address} without a token: name a token file as "tokens"`;
const masters = (address: string) => `the network reaches ${address}, but Modbus has no tokens: listen on 127.0.0.1`;
const noToken = `${tokens}: it has no token`;

let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
});

interface Tried {
  readonly configuration: object;
  readonly args?: readonly string[];
  /** The text of the token file. */
  readonly file?: string;
}

async function run({ configuration, args = [], file }: Tried, ...how: readonly string[]): Promise<void> {
  if (file !== undefined) program.files.set(tokens, file);
  program.files.set("n.json", JSON.stringify({ nouns, ...configuration }));
  await program.run(...how, "-c", "n.json", ...args.flatMap((address) => ["--listen", address]));
}

const required = { required: true };
const withTokens = { required: true, tokens };

const refused: readonly (readonly [string, Tried, readonly string[]])[] = [
  ...["0.0.0.0:8080", "[::]:8080", "192.0.2.7:8080", "10.0.0.1:80", "169.254.1.1:80", "[2001:db8::7]:8080"].map(
    (listen) => [listen, { configuration: { access: required, listen } }, [open(listen)]] as const,
  ),
  ...["[fe80::1]:8080", "[::ffff:10.0.0.1]:8080", "[::2]:8080", "126.255.255.255:80", "128.0.0.1:80", "0.0.0.0:0"].map(
    (listen) => [listen, { configuration: { access: required, listen } }, [open(listen)]] as const,
  ),
  ...["https://0.0.0.0:8443", "https://[::]:8443", "https://192.0.2.7:443"].map(
    (listen) => [listen, { configuration: { access: required, listen, stateDirectory } }, [open(listen)]] as const,
  ),
  [
    "https with a certificate of its own",
    {
      configuration: {
        access: required,
        listen: "https://0.0.0.0:8443",
        https: { certificate: "/etc/nound/chain.pem", key: "/etc/nound/key.pem" },
      },
    },
    [open("https://0.0.0.0:8443")],
  ],
  [
    "one of two addresses",
    {
      configuration: { access: required, listen: ["127.0.0.1:8080", "192.0.2.7:8080"] },
    },
    [open("192.0.2.7:8080")],
  ],
  [
    "two addresses",
    {
      configuration: { access: required, listen: ["0.0.0.0:8080", "[::]:8081"] },
    },
    [open("0.0.0.0:8080"), open("[::]:8081")],
  ],
  [
    "an address beside a Unix socket",
    {
      configuration: { access: required, listen: ["unix:/run/nound.sock", "10.0.0.1:80"] },
    },
    [open("10.0.0.1:80")],
  ],
  [
    "allowed hosts instead of tokens",
    {
      configuration: { access: { ...required, hosts: ["hall.example"] }, listen: "0.0.0.0:80" },
    },
    [open("0.0.0.0:80")],
  ],
  [
    "allowed origins instead of tokens",
    {
      configuration: { access: { ...required, origins: ["https://panel.example"] }, listen: "0.0.0.0:80" },
    },
    [open("0.0.0.0:80")],
  ],
  [
    "an address of the command line",
    {
      configuration: { access: required },
      args: ["0.0.0.0:8080"],
    },
    [open("0.0.0.0:8080")],
  ],
  [
    "two addresses of the command line",
    {
      configuration: { access: required },
      args: ["127.0.0.1:8080", "https://0.0.0.0:8443"],
    },
    [open("https://0.0.0.0:8443")],
  ],
  [
    "an empty token file",
    {
      configuration: { access: withTokens, listen: "0.0.0.0:80" },
      file: "",
    },
    [noToken],
  ],
  [
    "a token file of comments",
    {
      configuration: { access: withTokens, listen: "0.0.0.0:80" },
      file: "# panel\n\n   \n",
    },
    [noToken],
  ],
  [
    "a token file with a mistake",
    {
      configuration: { access: withTokens, listen: "0.0.0.0:80" },
      file: "panel GET *\n",
    },
    ["expected a name, verbs, nouns and a hash"],
  ],
  ["a token file that is missing", { configuration: { access: withTokens, listen: "0.0.0.0:80" } }, [tokens]],
  [
    "masters of Modbus",
    {
      configuration: { access: required, ...modbusServer("0.0.0.0:502") },
    },
    [masters("0.0.0.0:502")],
  ],
  [
    "masters of Modbus that may only read, from one network",
    {
      configuration: { access: required, ...modbusServer("192.0.2.7:502", { may: "GET *", from: "192.0.2.0/24" }) },
    },
    [masters("192.0.2.7:502")],
  ],
  [
    "masters of Modbus beside tokens",
    {
      configuration: { access: withTokens, listen: "0.0.0.0:80", ...modbusServer("[::]:502") },
      file: line,
    },
    [masters("[::]:502")],
  ],
  [
    "one of two addresses for masters",
    {
      configuration: { access: required, ...modbusServer(["127.0.0.1:502", "10.0.0.1:502"]) },
    },
    [masters("10.0.0.1:502")],
  ],
  [
    "both",
    {
      configuration: { access: required, listen: "0.0.0.0:80", ...modbusServer("0.0.0.0:502") },
    },
    [open("0.0.0.0:80"), masters("0.0.0.0:502")],
  ],
];

test("there are thirty of them", () => expect(refused.length).toBeGreaterThanOrEqual(30));

describe("refuses", () => {
  test.each(refused)("%s, when it is checked and when it is served", async (_, tried, sentences) => {
    await run(tried, "--check");
    for (const sentence of sentences) expect(program.error).toContain(sentence);
    expect(program.statuses).not.toEqual([0]);
    program = new TestPlatform();
    await run(tried);
    for (const sentence of sentences) expect(program.error).toContain(sentence);
    expect([program.statuses.length, program.statuses.includes(0), program.open.size]).toEqual([1, false, 0]);
  });
});

const accepted: readonly (readonly [string, Tried])[] = [
  ["the usual address", { configuration: { access: required } }],
  ["127.0.0.2", { configuration: { access: required, listen: "127.0.0.2:80" } }],
  ["[::1]", { configuration: { access: required, listen: "[::1]:80" } }],
  ["[0:0:0:0:0:0:0:1]", { configuration: { access: required, listen: "[0:0:0:0:0:0:0:1]:80" } }],
  ["a Unix socket", { configuration: { access: required, listen: "unix:/run/nound.sock,mode=0666" } }],
  ["the network with a token", { configuration: { access: withTokens, listen: "0.0.0.0:80" }, file: line }],
  ["the network where nothing is required", { configuration: { listen: "0.0.0.0:80" } }],
  ["the network where it is not required", { configuration: { access: { required: false }, listen: "0.0.0.0:80" } }],
];

test.each(accepted)("takes %s", async (_, tried) => {
  await run(tried);
  expect([program.error, program.statuses, program.open.size]).toEqual(["", [], 1]);
});

test("a program that was built so needs no key for it", async () => {
  program.isAccessRequired = true;
  await run({ configuration: { listen: "0.0.0.0:80", access: { required: false } } });
  expect(program.error).toContain(
    "$.listen: this nound was built to require tokens, and the network reaches 0.0.0.0:80",
  );
  expect(program.statuses).toEqual([78]);
});

test.each([
  ["0.0.0.0:80", "everyone who reaches 0.0.0.0:80 may use all nouns, because there is no token"],
  ["192.0.2.7:80", "everyone who reaches 192.0.2.7:80 may use all nouns"],
  ["127.0.0.1:80", undefined],
  ["unix:/run/nound.sock", undefined],
])("--check warns of %s without tokens: %j", async (listen, warning) => {
  await run({ configuration: { listen } }, "--check");
  expect(program.statuses).toEqual([0]);
  if (warning === undefined) expect(program.output).not.toContain("everyone");
  else expect(program.output).toContain(warning);
});

test("--check does not warn of the network with tokens", async () => {
  await run({ configuration: { listen: "0.0.0.0:80", access: { tokens } }, file: line }, "--check");
  expect(program.output).not.toContain("everyone who reaches");
});
