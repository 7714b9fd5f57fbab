import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHost, withoutZone } from "../../../ts/core/http/host.ts";

describe("is a host:", () => {
  test.each([
    "a",
    "localhost",
    "Example.COM",
    "example.com.",
    "a:80",
    "a:",
    "a:0",
    "a:65535",
    "a:00080",
    "192.0.2.1",
    "192.0.2.1:8080",
    "999.999.999.999",
    "a_b~c-d",
    "a%20b",
    "!$&'()*+;=",
    "[::]",
    "[::1]",
    "[::1]:8080",
    "[2001:db8::7]",
    "[1:2:3:4:5:6:7:8]",
    "[1:2:3:4:5:6:7::]",
    "[::2:3:4:5:6:7:8]",
    "[::ffff:192.0.2.1]",
    "[1:2:3:4:5:6:192.0.2.1]",
    "[v1.a:b]",
    "[vF.x]:1",
  ])("%s", (text) => {
    expect(isHost(text)).toBe(true);
  });
});

describe("of an IPv6 address with a zone, the zone is dropped:", () => {
  test.each([
    ["[fe80::1%25eth0]", "[fe80::1]"],
    ["[fe80::1%eth0]", "[fe80::1]"],
    ["[fe80::1%25eth0]:8080", "[fe80::1]:8080"],
    ["[FE80::1%wlan0.100]:80", "[FE80::1]:80"],
    ["[fe80::1%3]:", "[fe80::1]:"],
    ["[fe80::1%25br-lan%2E1]", "[fe80::1]"],
  ])("%s", (text, host) => {
    expect(isHost(text)).toBe(false);
    expect(withoutZone(text)).toBe(host);
  });

  test.each([
    "[fe80::1%]",
    "[fe80::1%25%]",
    "[fe80::1%eth0",
    "fe80::1%eth0",
    "[fe80::1%eth 0]",
    "[fe80::1%eth0]x",
    "[fe80::1%eth0]:x",
    "[fe80::1%eth0]:65536",
    "[fe80::1%eth0/]",
    '[fe80::1%"><script>]',
    "[fe80::1%eth0]]",
    "[fe80::g%eth0]",
    "[v1.a%eth0]",
    "192.0.2.1%eth0",
    "a%eth0",
    "[fe80::1%eth0], a",
    "a@[fe80::1%eth0]",
  ])("not of %s", (text) => {
    expect(isHost(text)).toBe(false);
    expect(withoutZone(text)).toBeUndefined();
  });
});

describe("is no host:", () => {
  test.each([
    "",
    ":",
    ":80",
    "a:b",
    "a:80:80",
    "a:-1",
    "a: 80",
    "a:65536",
    "a:999999999999999999999",
    "a b",
    "a,b",
    "a/b",
    "a?b",
    "a#b",
    "a@b",
    "a\\b",
    "a%2",
    "a%zz",
    "a<b",
    "\xe9",
    "::1",
    "[]",
    "[",
    "]",
    "[::1",
    "::1]",
    "[::1]]",
    "[[::1]]",
    "[::1]a",
    "[::1]:a",
    "[::1]:65536",
    "[:::]",
    "[:]",
    "[1:2:3:4:5:6:7]",
    "[1:2:3:4:5:6:7:8:9]",
    "[1:2:3:4::5:6:7:8]",
    "[1::2::3]",
    "[12345::]",
    "[g::]",
    "[::1%eth0]",
    "[::1%25eth0]",
    "[192.0.2.1]",
    "[::192.0.2]",
    "[::192.0.2.256]",
    "[::192.0.2.01]",
    "[192.0.2.1::]",
    "[::192.0.2.1:1]",
    "[v.a]",
    "[v1.]",
    "[v1]",
    "[vg.a]",
  ])("%s", (text) => {
    expect(isHost(text)).toBe(false);
  });
});

/** Groups and colons in every order, right and nearly right. */
const literal = fc.oneof(
  fc.ipV6(),
  fc
    .array(fc.constantFrom("::", ":", ":", "1", "ab", "0000", "12345", "g", "192.0.2.1", "192.0.2.256", "01.2.3.4"), {
      maxLength: 18,
    })
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.array(fc.constantFrom("0", "1f", "FFFF"), { maxLength: 9 }), fc.nat(9), fc.boolean())
    .map(([groups, gap, hasGap]) => {
      if (!hasGap) return groups.join(":");
      return `${groups.slice(0, gap).join(":")}::${groups.slice(gap).join(":")}`;
    }),
);

test("a literal between brackets is a host exactly when the platform takes it for an IPv6 address", () => {
  fc.assert(
    fc.property(literal, (address) => void expect(isHost(`[${address}]`)).toBe(isIPv6(address))),
    { numRuns: 2000 },
  );
});

test("every port up to 65535 is a port", () => {
  fc.assert(fc.property(fc.nat(200_000), (port) => void expect(isHost(`a:${port}`)).toBe(port <= 65_535)));
});
