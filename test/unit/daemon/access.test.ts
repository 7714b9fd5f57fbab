/** What the stock program makes of `access` in its configuration, and of --new-token. */
import { beforeEach, describe, expect, test } from "vitest";
import { TestPlatform, TestSocket } from "./test-platform.ts";

const file = "/etc/nound/tokens";
let program: TestPlatform;

function configure(access: unknown): void {
  program.files.set("n.json", JSON.stringify({ access, nouns: { led: { kind: "switch", key: "led" } } }));
}

function answer(bytes: string): string {
  const socket = new TestSocket();
  const [accept] = program.open.values();
  accept?.(socket);
  socket.handler?.onBytes(bytes);
  return socket.sent.split("\r\n")[0] ?? "";
}

beforeEach(() => {
  program = new TestPlatform();
});

describe("--new-token", () => {
  test("prints the line to standard output and the token to standard error, and they belong together", async () => {
    await program.run("--new-token", "panel");
    expect(program.statuses).toEqual([0]);
    const { output } = program;
    expect(output).toMatch(/^panel GET,PUT,POST,DELETE \* [0-9a-f]{64}\n$/);
    const [, token = ""] = /^nound: the token of panel, shown this once: ([0-9a-f]{40})\n$/.exec(program.error) ?? [];
    program = new TestPlatform();
    configure({ tokens: file });
    program.files.set(file, output);
    await program.run("-c", "n.json");
    expect(answer(`GET /led HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)).toContain(" 200 ");
    expect(answer("GET /led HTTP/1.1\r\nHost: a\r\n\r\n")).toContain(" 401 ");
  });

  test("has 160 random bits, and is another each time", async () => {
    await program.run("--new-token", "a");
    await program.run("--new-token", "a");
    expect(new Set(program.output.split("\n")).size).toBe(3);
  });

  test.each([
    ["my panel", '"my panel"'],
    ["#", '"#"'],
    ["ä", '"ä"'],
    ["a".repeat(65), `"${"a".repeat(65)}"`],
  ])("with the malformed name %j is wrong usage", async (name, quoted) => {
    await program.run("--new-token", name);
    const error = `nound: a token's name has 1 to 64 characters of a-z A-Z 0-9 . _ ~ -, not ${quoted}\n`;
    expect(program).toMatchObject({ output: "", error, statuses: [64] });
  });
});

describe("the token file", () => {
  const line = `panel GET * ${"0".repeat(64)}\n`;

  test("is checked by --check, and read only if it can be trusted", async () => {
    configure({ tokens: file });
    program.files.set(file, line.repeat(2));
    await program.run("--check", "-c", "n.json");
    const output = "n.json: 1 noun, 1 token, listens on 127.0.0.1:8080; serves with little\n";
    expect(program).toMatchObject({ output, error: "", statuses: [0] });
    expect(program.trustDemands.get(file)).toBe("always");
  });

  test.each(["--check", "--debug"])("that is not there or wrong is one line, with %s", async (option) => {
    configure({ tokens: file });
    await program.run(option, "-c", "n.json");
    program.files.set(file, `${line}panel`);
    await program.run(option, "-c", "n.json");
    expect(program).toMatchObject({
      output: "",
      error:
        `nound: cannot read ${file}: there is no such file\n` +
        `nound: ${file}: line 2: expected a name, verbs, nouns and a hash, separated by spaces, found 1 column\n`,
      statuses: [78, 78],
    });
    expect(program.open.size).toBe(0);
  });
});

test("allowed hosts and origins are handed on to the server", async () => {
  configure({ hosts: ["hall.example"], origins: ["https://a"] });
  await program.run("-c", "n.json");
  expect(answer("GET /led HTTP/1.1\r\nHost: hall.example\r\n\r\n")).toContain(" 200 ");
  expect(answer("GET /led HTTP/1.1\r\nHost: a\r\n\r\n")).toContain(" 421 ");
  expect(answer("GET /led HTTP/1.1\r\nHost: hall.example\r\nOrigin: https://b\r\n\r\n")).toContain(" 403 ");
});

test.each([
  [
    { hosts: ["*.local"] },
    '$.access.hosts[0]: expected a host such as hall.example, 192.0.2.7 or [2001:db8::7]:8080, found "*.local"',
  ],
  [
    { origins: "*" },
    "$.access.origins: expected an origin as browsers write it, such as https://panel.example or " +
      'http://a:3000, found "*"',
  ],
])("%j is refused", async (access, sentence) => {
  configure(access);
  await program.run("-c", "n.json");
  expect(program).toMatchObject({ output: "", error: `nound: n.json: ${sentence}\n`, statuses: [78] });
});
