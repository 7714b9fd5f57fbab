/** SHA-256 against the examples that NIST gives for FIPS 180-4. */
import { expect, test } from "vitest";
import { simulatedHash } from "../../../../ts/native/simulated/hash.ts";

const { sha256 } = simulatedHash;

// NIST's examples for FIPS 180-4 (SHA256.pdf, one block and two), FIPS 180-2, B.3 (a million letters), CAVP
// SHA256ShortMsg.rsp (Len = 0), and SHA2_Additional.pdf (one byte).
test.each([
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["\xbd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"],
])("an example of NIST's comes out as it should", (message, hash) => {
  expect(sha256(message)).toBe(hash);
});
