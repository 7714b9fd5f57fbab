import { beforeEach, expect, test } from "vitest";
import { readTokens, Server } from "../../../ts/nound.ts";
import { putFile, request, reset } from "../../../ts/testing.ts";

const path = "/etc/my-device/tokens";
const token = "0123456789abcdef0123456789abcdef";
/** Its SHA-256. */
const hash = "3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9";

beforeEach(reset);

test("an application asks for the tokens of a file", async () => {
  putFile(path, `# the hall\npanel GET * ${hash}\n`);
  const tokens = readTokens(path);
  expect(tokens).toEqual([{ name: "panel", verbs: ["GET"], nouns: ["*"], sha256: hash }]);
  const server = new Server({ access: { tokens } });
  expect((await request(server, { path: "/led" })).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect((await request(server, { path: "/led", headers })).status).toBe(404);
});

test("what is wrong with the file is said with its path", () => {
  expect(() => readTokens(path)).toThrow(`cannot read ${path}: there is no such file`);
  putFile(path, "panel GET\n");
  expect(() => readTokens(path)).toThrow(`${path}: line 1: expected a name, verbs, nouns and a hash`);
});
