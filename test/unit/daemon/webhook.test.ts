/** What the stock program makes of a webhook in its configuration. */
import { beforeEach, describe, expect, test } from "vitest";
import { TestPlatform } from "./test-platform.ts";

const file = "/etc/nound/door-token";
let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
  program.files.set(file, "secret\n");
});

function configure(url: string, more: object = {}): void {
  program.files.set("n.json", JSON.stringify({ nouns: { door: { kind: "webhook", url, ...more } } }));
}

test("the connector is started with its server, and the token is read as a secret", async () => {
  configure("http://192.0.2.5:1880/door", { token: file });
  await program.run("-c", "n.json");
  expect(program.connector.targets).toEqual(["192.0.2.5:1880"]);
  expect(program.trustDemands.get(file)).toBe("always");
});

describe("--check", () => {
  test.each([
    ["http://192.0.2.5:1880/door", "192.0.2.5:1880"],
    ["http://hall.example/door", "hall.example:80"],
    ["http://127.0.0.1:1880/door", undefined],
    ["http://[::1]/door", undefined],
    ["http://localhost:1880/", undefined],
    ["https://hall.example/door", undefined],
  ])("says of a token for %s whether it would leave the device unencrypted", async (url, server) => {
    configure(url, { token: file });
    await program.run("--check", "-c", "n.json");
    expect(await program.status()).toBe(0);
    const advice =
      `n.json: the noun door: the token for ${server} leaves this device unencrypted: ` +
      "write https:// if the server has TLS\n";
    expect(program.output.includes("unencrypted")).toBe(server !== undefined);
    if (server !== undefined) expect(program.output).toContain(advice);
    expect(program.connector.targets).toBeUndefined();
  });

  test("is silent about a webhook without a token", async () => {
    configure("http://192.0.2.5:1880/door");
    await program.run("--check", "-c", "n.json");
    expect(await program.status()).toBe(0);
    expect(program.output).not.toContain("unencrypted");
  });

  test.each<[string, string | undefined, string]>([
    ["is not there", undefined, file],
    ["is empty", "", `${file} has no token`],
    ["has two lines", "a\nb\n", `${file} has no token`],
  ])("tells of a token file that %s, and refuses nothing", async (_, text, sentence) => {
    if (text === undefined) program.files.delete(file);
    else program.files.set(file, text);
    configure("http://127.0.0.1:1880/door", { token: file });
    await program.run("--check", "-c", "n.json");
    expect(await program.status()).toBe(0);
    expect(program.output).toMatch(/\nn\.json: the noun door: [^\n]*\n/);
    expect(program.output).toContain(sentence);
  });
});
