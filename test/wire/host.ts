/** The Host field: present once, `uri-host [":" port]` (RFC 9112, 3.2; RFC 9110, 7.2). */

import { stillState } from "./nouns.ts";
import { accepted, bare, closed, kept } from "./vector.ts";

/** A GET with these fields and no other Host. */
function withHost(fields: string): string {
  return `GET /still HTTP/1.1\r\n${fields}\r\n`;
}

/** Vectors of the Host field. */
export const hosts = [
  ...accepted([
    ["a name and a port", withHost("Host: localhost:8080\r\n"), stillState],
    ["a name of several labels", withHost("Host: led.example.com\r\n"), stillState],
    ["a host in upper case", withHost("Host: LED.EXAMPLE\r\n"), stillState],
    ["an IPv4 address", withHost("Host: 192.0.2.7\r\n"), stillState],
    ["an IPv4 address and a port", withHost("Host: 127.0.0.1:80\r\n"), stillState],
    ["an IPv6 address", withHost("Host: [::1]\r\n"), stillState],
    ["an IPv6 address and a port", withHost("Host: [2001:db8::7]:8080\r\n"), stillState],
    ["a full IPv6 address", withHost("Host: [1:2:3:4:5:6:7:8]:65535\r\n"), stillState],
    ["an IPv6 address that holds an IPv4 address", withHost("Host: [::ffff:192.0.2.7]:80\r\n"), stillState],
    ["the highest port", withHost("Host: localhost:65535\r\n"), stillState],
    ["a name with a hyphen and digits", withHost("Host: device-7.local\r\n"), stillState],
    ["Host as the last field", withHost("Accept: */*\r\nHost: localhost\r\n"), stillState],
  ]),
  ...kept(200, [
    ["a Host with an empty port", withHost("Host: localhost:\r\n")],
    ["a host that a proxy passes on", bare("GET", "X-Forwarded-Host: zqx\r\nForwarded: host=zqx\r\n")],
  ]),
  ...closed(400, [
    ["no Host", withHost("")],
    ["no Host among other fields", withHost("Accept: */*\r\nX-Host: localhost\r\n")],
    ["two Hosts", withHost("Host: localhost\r\nHost: zqx\r\n")],
    ["the same Host twice", withHost("Host: localhost\r\nHost: localhost\r\n")],
    ["two Hosts, far apart and in different case", withHost("Host: localhost\r\nAccept: */*\r\nhost: localhost\r\n")],
    ["an empty Host", withHost("Host:\r\n")],
    ["a Host of spaces and tabs", withHost("Host: \t \r\n")],
    ["a Host of spaces", withHost("Host:   \r\n")],
    ["user information in Host", withHost("Host: zqx@localhost\r\n")],
    ["user information with a password", withHost("Host: zqx:secret@localhost:80\r\n")],
    ["a path in Host", withHost("Host: localhost/zqx\r\n")],
    ["a path of one slash", withHost("Host: localhost/\r\n")],
    ["a query in Host", withHost("Host: localhost?zqx\r\n")],
    ["a fragment in Host", withHost("Host: localhost#zqx\r\n")],
    ["a backslash", withHost("Host: localhost\\zqx\r\n")],
    ["two hosts in a list", withHost("Host: localhost, zqx\r\n")],
    ["two hosts in a list without a space", withHost("Host: localhost,zqx\r\n")],
    ["a space inside", withHost("Host: local host\r\n")],
    ["a scheme", withHost("Host: http://localhost\r\n")],
    ["a byte above 0x7f", withHost("Host: l\xf6calhost\r\n")],
    ["a port of letters", withHost("Host: localhost:zqx\r\n")],
    ["a port with a sign", withHost("Host: localhost:+80\r\n")],
    ["a negative port", withHost("Host: localhost:-1\r\n")],
    ["a port above 65535", withHost("Host: localhost:65536\r\n")],
    ["a port of twenty digits", withHost("Host: localhost:99999999999999999999\r\n")],
    ["two ports", withHost("Host: localhost:80:80\r\n")],
    ["only a port", withHost("Host: :80\r\n")],
    ["an IPv6 address without brackets", withHost("Host: ::1\r\n")],
    ["an IPv6 address without its closing bracket", withHost("Host: [::1\r\n")],
    ["an IPv6 address without its opening bracket", withHost("Host: ::1]\r\n")],
    ["empty brackets", withHost("Host: []\r\n")],
    ["an IPv6 address with a letter beyond f", withHost("Host: [::g]\r\n")],
    ["an IPv6 address of nine groups", withHost("Host: [1:2:3:4:5:6:7:8:9]\r\n")],
    ["an IPv6 address of seven groups", withHost("Host: [1:2:3:4:5:6:7]\r\n")],
    ["an IPv6 address with two gaps", withHost("Host: [1::2::3]\r\n")],
    ["an IPv6 address with a group of five digits", withHost("Host: [::12345]\r\n")],
    ["an IPv6 address with a bad IPv4 part", withHost("Host: [::ffff:192.0.2.256]\r\n")],
    ["letters behind an IPv6 address", withHost("Host: [::1]zqx\r\n")],
    ["a bad port behind an IPv6 address", withHost("Host: [::1]:zqx\r\n")],
    ["an unfinished percent-encoding in Host", withHost("Host: local%6\r\n")],
    ["a Host behind a bare LF", withHost("X-Name: a\nHost: zqx\r\nHost: localhost\r\n")],
    ["a Host behind a space", withHost("Host: localhost\r\n Host: zqx\r\n")],
    ["a tab within Host", withHost("Host: localhost\tzqx\r\n")],
    ["a NUL within Host", withHost("Host: localhost\0zqx\r\n")],
    ["a percent sign alone in Host", withHost("Host: local%host\r\n")],
    ["a zone in Host", withHost("Host: [fe80::1%25eth0]\r\n")],
    ["a semicolon and a port within Host", withHost("Host: localhost;@zqx:80\r\n")],
    ["a Host with white space before its port", withHost("Host: localhost :80\r\n")],
    ["a Host in angle brackets", withHost("Host: <localhost>\r\n")],
  ]),
];
