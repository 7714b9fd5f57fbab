import { isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHost, withoutZone } from "../../../ts/core/http/host.ts";

// What a host is beside the addresses and names of the vectors (test/wire/host.ts).
test.each(["example.com.", "a:00080", "999.999.999.999", "a%20b", "!$&'()*+;=", "[v1.a:b]", "[vF.x]:1"])(
  "%s is a host",
  (text) => {
    expect(isHost(text)).toBe(true);
  },
);

test.each(["", ":", "a%zz", "a<b", "[::1]]", "[[::1]]", "[v.a]", "[v1.]", "[v1]", "[vg.a]"])(
  "%s is no host",
  (text) => {
    expect(isHost(text)).toBe(false);
  },
);

test.each([
  ["[fe80::1%25eth0]", "[fe80::1]"],
  ["[FE80::1%wlan0.100]:80", "[FE80::1]:80"],
  ["[fe80::1%25br-lan%2E1]:", "[fe80::1]:"],
  ["[fe80::1%eth0]:65536", undefined],
  ['[fe80::1%"><script>]', undefined],
  ["[fe80::g%eth0]", undefined],
  ["[v1.a%eth0]", undefined],
  ["a@[fe80::1%eth0]", undefined],
])("of %s without its zone, the host is %s", (text, host) => {
  expect(isHost(text)).toBe(false);
  expect(withoutZone(text)).toBe(host);
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
