/** The Host field: present once, `uri-host [":" port]` (RFC 9112, 3.2; RFC 9110, 7.2). */
import { accepted, refused, stillState } from "./sample.ts";

function get(fields: string): string {
  return `GET /still HTTP/1.1\r\n${fields}\r\n`;
}

/** Host fields that are accepted. */
export const acceptedHosts = accepted([
  ["a name", get("Host: localhost\r\n"), stillState],
  ["a name and a port", get("Host: localhost:8080\r\n"), stillState],
  ["a name of several labels", get("Host: led.example.com\r\n"), stillState],
  ["a name in upper case", get("Host: LED.EXAMPLE\r\n"), stillState],
  ["an IPv4 address", get("Host: 192.0.2.7\r\n"), stillState],
  ["an IPv4 address and a port", get("Host: 127.0.0.1:80\r\n"), stillState],
  ["an IPv6 address", get("Host: [::1]\r\n"), stillState],
  ["an IPv6 address and a port", get("Host: [2001:db8::7]:8080\r\n"), stillState],
  ["a full IPv6 address", get("Host: [1:2:3:4:5:6:7:8]:65535\r\n"), stillState],
  ["an IPv6 address that holds an IPv4 address", get("Host: [::ffff:192.0.2.7]:80\r\n"), stillState],
  ["the highest port", get("Host: localhost:65535\r\n"), stillState],
  ["a name with a hyphen and digits", get("Host: device-7.local\r\n"), stillState],
  ["Host as the last field", get("Accept: */*\r\nHost: localhost\r\n"), stillState],
]);

/** Host fields that are refused. */
export const refusedHosts = refused(400, "close", [
  ["no Host", get("")],
  ["no Host among other fields", get("Accept: */*\r\nX-Host: localhost\r\n")],
  ["two Hosts", get("Host: localhost\r\nHost: zqx\r\n")],
  ["the same Host twice", get("Host: localhost\r\nHost: localhost\r\n")],
  ["two Hosts, far apart and in different case", get("Host: localhost\r\nAccept: */*\r\nhost: localhost\r\n")],
  ["an empty Host", get("Host:\r\n")],
  ["a Host of spaces", get("Host:   \r\n")],
  ["user information", get("Host: zqx@localhost\r\n")],
  ["user information with a password", get("Host: zqx:secret@localhost:80\r\n")],
  ["a path", get("Host: localhost/zqx\r\n")],
  ["a path of one slash", get("Host: localhost/\r\n")],
  ["a query", get("Host: localhost?zqx\r\n")],
  ["a fragment", get("Host: localhost#zqx\r\n")],
  ["a backslash", get("Host: localhost\\zqx\r\n")],
  ["two hosts in a list", get("Host: localhost, zqx\r\n")],
  ["two hosts in a list without a space", get("Host: localhost,zqx\r\n")],
  ["a space inside", get("Host: local host\r\n")],
  ["a scheme", get("Host: http://localhost\r\n")],
  ["a byte above 0x7f", get("Host: l\xf6calhost\r\n")],
  ["a port of letters", get("Host: localhost:zqx\r\n")],
  ["a port with a sign", get("Host: localhost:+80\r\n")],
  ["a negative port", get("Host: localhost:-1\r\n")],
  ["a port above 65535", get("Host: localhost:65536\r\n")],
  ["a port of twenty digits", get("Host: localhost:99999999999999999999\r\n")],
  ["two ports", get("Host: localhost:80:80\r\n")],
  ["only a port", get("Host: :80\r\n")],
  ["an IPv6 address without brackets", get("Host: ::1\r\n")],
  ["an IPv6 address without its closing bracket", get("Host: [::1\r\n")],
  ["an IPv6 address without its opening bracket", get("Host: ::1]\r\n")],
  ["empty brackets", get("Host: []\r\n")],
  ["an IPv6 address with a letter beyond f", get("Host: [::g]\r\n")],
  ["an IPv6 address of nine groups", get("Host: [1:2:3:4:5:6:7:8:9]\r\n")],
  ["an IPv6 address of seven groups", get("Host: [1:2:3:4:5:6:7]\r\n")],
  ["an IPv6 address with two gaps", get("Host: [1::2::3]\r\n")],
  ["an IPv6 address with a group of five digits", get("Host: [::12345]\r\n")],
  ["an IPv6 address with a bad IPv4 part", get("Host: [::ffff:192.0.2.256]\r\n")],
  ["letters behind an IPv6 address", get("Host: [::1]zqx\r\n")],
  ["a bad port behind an IPv6 address", get("Host: [::1]:zqx\r\n")],
  ["an unfinished percent-encoding", get("Host: local%6\r\n")],
]);
