import { expect, test } from "vitest";
import { clientOf } from "../../../ts/core/access/client-address.ts";

test.each([
  ["192.0.2.7:51234", "192.0.2.7"],
  ["unix", "unix"],
  ["[2001:db8:1:2:3:4:5:6]:51234", "2001:db8:1:2"],
  ["[2001:db8::7]:51234", "2001:db8:0:0"],
  ["[2001:db8:1:2::7]:51234", "2001:db8:1:2"],
  ["[::1]:51234", "0:0:0:0"],
  ["[fe80::]:1", "fe80:0:0:0"],
  ["[::]:1", "0:0:0:0"],
])("%s is counted as %s", (peer, client) => {
  expect(clientOf(peer)).toBe(client);
});
