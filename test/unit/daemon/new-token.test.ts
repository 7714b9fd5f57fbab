import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { newToken, TokenNameError } from "../../../ts/daemon/new-token.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { readTokenFile } from "../../../ts/server/token-file.ts";
import { Tokens } from "../../../ts/server/tokens.ts";

test("a new token has 160 random bits, and its line lets it in for everything", () => {
  const asked: number[] = [];
  const random = "0123456789abcdef0123456789abcdef01234567";
  const { token, line } = newToken(
    "panel",
    (bytes) => {
      asked.push(bytes);
      return random;
    },
    simulatedHash,
  );
  expect({ token, asked }).toEqual({ token: random, asked: [20] });
  expect(line).toBe(`panel GET,PUT,POST,DELETE * ${createHash("sha256").update(random).digest("hex")}\n`);
  const known = new Tokens(readTokenFile(line)).find(simulatedHash.sha256(token));
  expect(known?.name).toBe("panel");
  expect(known?.allows("DELETE", "anything")).toBe(true);
});

test.each(["", "a b", "#", "ä", "a".repeat(65)])("no token can be named %j", (name) => {
  expect(() => newToken(name, () => "", simulatedHash)).toThrow(TokenNameError);
});
