import { expect, test } from "vitest";
import { isListenAddress } from "../../../ts/platform/listen-address.ts";
import { curlLine } from "../../../ts/program/daemon/demonstration.ts";

// Which IPv6 addresses there are is tried with hosts (unit/http/host.test.ts).
test.each([
  "127.0.0.1:8080",
  "0.0.0.0:0",
  "255.255.255.255:65535",
  "[::]:80",
  "[::1]:8080",
  "[2001:db8::7]:1",
  "unix:/run/nound.sock",
  "unix:nound.sock",
  `unix:/${"a".repeat(106)}`,
  `unix:/${"a".repeat(106)},mode=0660,group=www-data`,
  "unix:/a,mode=660",
  "unix:/a, b,group=33,mode=0600",
  "unix:/a,mode",
])("%s is an address to listen on", (text) => {
  expect(isListenAddress(text)).toBe(true);
});

test.each([
  "",
  ":",
  "8080",
  ":8080",
  "127.0.0.1",
  "127.0.0.1:",
  "127.0.0.1:65536",
  "127.0.0.1:-1",
  "127.0.0.1:+80",
  "127.0.0.1:8080 ",
  " 127.0.0.1:8080",
  "127.0.0.1:80a",
  "unix:,mode=0660",
  "unix:/a,mode=",
  "unix:/a,mode=66",
  "unix:/a,mode=1777",
  "unix:/a,mode=0668",
  "unix:/a,group=",
  "unix:/a,mod=0660",
  "unix:/a,modus=0660,group=33",
  "127.0.0.1:80,mode=0660",
  "127.0.0.1:000080",
  "127.0.0:80",
  "127.0.0.256:80",
  "127.0.0.01:80",
  "localhost:80",
  "*:80",
  "::1:80",
  "[::1]",
  "[::1]80",
  "[]:80",
  "[g::]:80",
  "[fe80::1%eth0]:80",
  "[127.0.0.1]:80",
  "http://127.0.0.1:80",
  "unix:",
  "unix:/a\0b",
  `unix:/${"a".repeat(107)}`,
  `unix:/${"ä".repeat(54)}`,
  `unix:/${"😀".repeat(27)}`,
])("%j is none", (text) => {
  expect(isListenAddress(text)).toBe(false);
});

test.each([
  ["127.0.0.1:8080", "curl http://127.0.0.1:8080/led"],
  ["0.0.0.0:80", "curl http://127.0.0.1:80/led"],
  ["[::]:80", "curl 'http://[::1]:80/led'"],
  ["[2001:db8::7]:80", "curl 'http://[2001:db8::7]:80/led'"],
  ["unix:/run/nound.sock", "curl --unix-socket '/run/nound.sock' http://localhost/led"],
  ["unix:/tmp/it's", "curl --unix-socket '/tmp/it'\\''s' http://localhost/led"],
])("curl reads a noun at %s by %s", (address, line) => {
  expect(curlLine(address, "led")).toBe(line);
});
