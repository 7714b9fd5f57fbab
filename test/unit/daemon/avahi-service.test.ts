import { expect, test } from "vitest";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { avahiService } from "../../../ts/program/daemon/avahi-service.ts";
import type { Json, JsonObject } from "../../../ts/settings/json.ts";

function service(listen: Json, rest: JsonObject = {}): string {
  const configuration = readConfiguration({ listen, nouns: { led: { kind: "switch", key: "led" } }, ...rest });
  return avahiService(configuration, configuration.listen);
}

test("a server that others reach is announced by its port, with the path of its description", () => {
  expect(service(["127.0.0.1:80", "192.0.2.7:8080"])).toBe(`<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
  <service>
    <type>_http._tcp</type>
    <port>8080</port>
  </service>
  <service>
    <type>_wot._tcp</type>
    <port>8080</port>
    <txt-record>td=/.well-known/wot</txt-record>
    <txt-record>type=Thing</txt-record>
    <txt-record>scheme=http</txt-record>
  </service>
</service-group>
`);
});

test.each<Json>([
  "127.0.0.1:8080",
  "127.1.2.3:8080",
  "[::1]:8080",
  "[0:0:0:0:0:0:0:1]:8080",
  "[0::0001]:8080",
  "[::ffff:127.0.0.1]:8080",
  "unix:/run/nound.sock",
  "unix:/run/nound.sock,mode=0660",
  "0.0.0.0:0",
])("nothing is announced of a server on %j", (listen) => {
  expect(service(listen)).toBe("");
});

test.each(["0.0.0.0:80", "[::]:80", "[2001:db8::1]:80", "[::10]:80", "10.0.0.1:80"])("%s is announced", (listen) => {
  expect(service(listen)).toContain("<port>80</port>");
});

test("the name is the title, as far as it fits, with nothing that XML would take for its own", () => {
  expect(service("0.0.0.0:80", { title: "Hall <1> & %h ]]>\u0007" })).toContain(
    "<name>Hall &lt;1&gt; &amp; %h ]]&gt; </name>",
  );
  const [, name = ""] = /<name>(.*)<\/name>/.exec(service("0.0.0.0:80", { title: "ä€😀".repeat(9) })) ?? [];
  expect(Buffer.byteLength(name)).toBe(63);
});

test("without the description there is nothing to find for the Web of Things", () => {
  const file = service("0.0.0.0:80", { documents: ["page"] });
  expect(file).toContain("_http._tcp");
  expect(file).not.toContain("_wot._tcp");
});
