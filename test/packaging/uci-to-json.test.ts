/** The UCI configuration of the OpenWrt package, translated to the JSON one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfiguration } from "../../ts/program/configuration/configuration.ts";
import { parseJson } from "../../ts/settings/json.ts";
import { project, RelocatedRoot, shells } from "./harness/relocated-root.ts";

const translation = join(project, "packaging/openwrt/nound/files/uci-to-json.sh");
const serviceOptions = "enabled interface listen port family mdns config";
const script = `. "$HARNESS/openwrt.sh"; . "${translation}"; nound_load && nound_print_json ${serviceOptions}`;

let root: RelocatedRoot;
beforeEach(() => {
  root = new RelocatedRoot();
});
afterEach(() => root.remove());

test("there is a shell to run the packages' scripts in", () => {
  expect(shells).not.toEqual([]);
});

describe.each(shells.map((shell) => ({ shell, name: shell.join(" ") })))("in $name", ({ shell }) => {
  function translate(uci: string) {
    root.write("etc/config/nound", uci);
    return root.run(shell, script);
  }

  function translated(uci: string): unknown {
    const { status, stdout, stderr } = translate(uci);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  test("a noun of every kind becomes what the example's JSON says of it", () => {
    const example = readFileSync(join(project, "examples/relay-board/nound.json"), "utf8");
    const { listen: _, ...expected } = JSON.parse(example, (key, value) => (key === "$comment" ? undefined : value));
    expect(translated(readFileSync(join(project, "test/packaging/relay-board.uci"), "utf8"))).toEqual(expected);
  });

  test("Home Assistant is told or not, of a device and of a noun", () => {
    const uci = (value: string) => `config mqtt\n\toption broker 'b:1883'\n\toption homeAssistant '${value}'
config noun 'door'\n\toption kind 'switch'\n\tlist homeAssistant 'device_class=door'`;
    const nouns = { door: { kind: "switch", homeAssistant: { device_class: "door" } } };
    expect(translated(uci("1"))).toEqual({ mqtt: { broker: "b:1883", homeAssistant: true }, nouns });
    expect(translated(uci("off"))).toEqual({ mqtt: { broker: "b:1883", homeAssistant: false }, nouns });
    expect(translated(uci("home/a"))).toEqual({ mqtt: { broker: "b:1883", homeAssistant: "home/a" }, nouns });
  });

  test("a button that counts presses has its times", () => {
    const options = ["line 'BUTTON'", "key 'button'", "presses 'yes'", "longPress '700'", "doublePress '300'"];
    const uci = ["config noun 'button'", "kind 'gpio-input'", ...options].join("\n\toption ");
    const noun = { kind: "gpio-input", line: "BUTTON", key: "button", presses: true, longPress: 700, doublePress: 300 };
    expect(translated(uci)).toEqual({ nouns: { button: noun } });
  });

  test("a Modbus unit has keys, and a number; a meter has a total", () => {
    const uci = `config noun 'grid'
	option kind 'modbus'
	option device '/dev/ttyS1'
	option unit '7'
	option rs485 '1'
config key
	option noun 'grid'
	option name 'limit'
	option read 'holding'
	option at '40'
	option unit 'kW'
	option writable '1'
config noun 'gas'
	option kind 'gpio-input'
	option line 'GPIO27'
	option key 'pulse'
	option edges 'rising'
	list total 'key=volume'
	list total 'each=0.01'
`;
    const limit = { read: "holding", at: 40, unit: "kW", writable: true };
    const total = { key: "volume", each: 0.01 };
    const json = translated(uci) as { nouns: unknown };
    expect(json.nouns).toEqual({
      grid: { kind: "modbus", device: "/dev/ttyS1", unit: 7, rs485: true, keys: { limit } },
      gas: { kind: "gpio-input", line: "GPIO27", key: "pulse", edges: "rising", total },
    });
    expect(() => readConfiguration({ stateDirectory: "/var/lib/nound", ...(json as object) })).not.toThrow();
  });

  test("a rule has conditions, times and actions", () => {
    const options = [
      ...["when 'room temperature below 4 until 6'", "when 'room open 0'", "when 'button short changes'"],
      ...["when 'note text a = b'", "at '22:30'", "at '06:00'"],
      ...["then 'PUT heater on=1 level=2.5'", "then 'POST horn'", "then 'PUT note text=it is cold at=night'"],
      "else 'DELETE heater'",
    ];
    const uci = `config noun 'frost'\noption kind 'rule'\noption days 'mon-fri'\nlist ${options.join("\nlist ")}`;
    const frost = {
      kind: "rule",
      days: "mon-fri",
      at: ["22:30", "06:00"],
      when: {
        room: { temperature: { below: 4, until: 6 }, open: 0 },
        button: { short: { changes: true } },
        note: { text: "a = b" },
      },
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      then: { "PUT heater": { on: 1, level: 2.5 }, "POST horn": {}, "PUT note": { text: "it is cold", at: "night" } },
      else: { "DELETE heater": {} },
    };
    expect(translated(uci)).toEqual({ nouns: { frost } });
    expect(translated("config noun 'noon'\n\toption at '12:00'")).toEqual({ nouns: { noon: { at: "12:00" } } });
  });

  test("an option that `uci set` has made where a list is wanted is a list of one item", () => {
    const rule = ["kind 'rule'", "at '22:30'", "when 'lamp on 0'", "then 'PUT lamp on=1'", "else 'DELETE lamp'"];
    const uci = `config noun 'night'\noption ${rule.join("\noption ")}
config noun 'lamp'\noption kind 'switch'\noption key 'on'\noption guard 'pump on 1'
config noun 'blind'\noption kind 'cover'\noption open 'line=GPIO17'\noption stopAtOpen 'top pressed 1'`;
    const night = {
      kind: "rule",
      at: "22:30",
      when: { lamp: { on: 0 } },
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      then: { "PUT lamp": { on: 1 } },
      else: { "DELETE lamp": {} },
    };
    const lamp = { kind: "switch", key: "on", guard: { pump: { on: 1 } } };
    const blind = { kind: "cover", open: { line: "GPIO17" }, stopAt: { open: { top: { pressed: 1 } } } };
    expect(translated(uci)).toEqual({ nouns: { night, lamp, blind } });
  });

  test.each([
    ["config noun 'x'\noption kind 'led'", "default", "a=1", { nouns: { x: { kind: "led", default: { a: 1 } } } }],
    ["config noun 'x'\noption kind 'switch'", "default", "a=1", { nouns: { x: { kind: "switch", default: "a=1" } } }],
    ["config noun 'x'\noption kind 'sysfs'", "default", "1", { nouns: { x: { kind: "sysfs", default: 1 } } }],
    ["config noun 'x'", "tls", "authorities=/ca.pem", { nouns: { x: { tls: { authorities: "/ca.pem" } } } }],
    ["config noun 'x'", "labels", "on=lit", { nouns: { x: { labels: { on: "lit" } } } }],
    ["config noun 'x'", "rate", "key=flow", { nouns: { x: { rate: { key: "flow" } } } }],
    ["config noun 'x'", "total", "key=volume", { nouns: { x: { total: { key: "volume" } } } }],
    ["config noun 'x'", "values", "auto", { nouns: { x: { values: ["auto"] } } }],
    ["config noun 'x'", "homeAssistant", "icon=mdi:a", { nouns: { x: { homeAssistant: { icon: "mdi:a" } } } }],
    ["config noun 'x'", "homeAssistant", "0", { nouns: { x: { homeAssistant: false } } }],
    ["config mqtt", "homeAssistant", "home=a", { mqtt: { homeAssistant: "home=a" }, nouns: {} }],
    ["config mqtt", "tls", "authorities=/ca.pem", { mqtt: { tls: { authorities: "/ca.pem" } }, nouns: {} }],
    ["config mqtt", "groups", "lamps", { mqtt: { groups: ["lamps"] }, nouns: {} }],
    ["config tls", "keys", "ab", { tls: { keys: ["ab"] }, nouns: {} }],
    ["config tls", "alpn", "mqtt", { tls: { alpn: ["mqtt"] }, nouns: {} }],
  ])("one item of %s is an option, if nothing else can be meant: %s '%s'", (section, option, value, json) => {
    expect(translated(`${section}\noption ${option} '${value}'`)).toEqual(json);
  });

  test("a guard has conditions, and the device a location", () => {
    const uci = `config location
	option latitude '-33.9'
	option longitude '18.4'
config noun 'heater'
	option kind 'switch'
	option key 'on'
	list guard 'pump on 1'
	list guard 'cellar celsius below 60 until 55'
config noun 'pump'
	option kind 'switch'
	option key 'on'
config noun 'cellar'
	option kind 'w1'
`;
    const json = translated(uci) as { nouns: { heater: object } };
    expect(json).toMatchObject({ location: { latitude: -33.9, longitude: 18.4 } });
    const guard = { pump: { on: 1 }, cellar: { celsius: { below: 60, until: 55 } } };
    expect(json.nouns.heater).toEqual({ kind: "switch", key: "on", guard });
    expect(() => readConfiguration(parseJson(JSON.stringify(json)))).not.toThrow();
  });

  test("a cover has end switches", () => {
    const uci = (...lists: readonly string[]) => `config noun 'blind'
	option kind 'cover'
	list open 'line=GPIO17'
	list close 'line=GPIO18'
	option openTime '21000'
	option closeTime '19500'
	option boot 'default'
${lists.map((list) => `\tlist ${list}\n`).join("")}config noun 'top'
	option kind 'switch'
	option key 'pressed'
`;
    const both = translated(uci("stopAtOpen 'top pressed 1'", "stopAtClose 'top pressed 0'"));
    const stopAt = { open: { top: { pressed: 1 } }, close: { top: { pressed: 0 } } };
    expect(both).toMatchObject({ nouns: { blind: { stopAt } } });
    expect(() => readConfiguration(parseJson(JSON.stringify(both)))).not.toThrow();
    const one = translated(uci("stopAtOpen 'top pressed 1'")) as { nouns: { blind: object } };
    expect(one.nouns.blind).toHaveProperty("stopAt", { open: stopAt.open });
    expect(translate(uci("stopAtOpen 'top'")).stderr).toContain(
      "the list stopAtOpen: expected a noun, a key and a value",
    );
  });

  test.each([
    ["list guard 'pump'", "the list guard: expected a noun, a key and a value, found pump"],
    ["list guard 'a b 1'\nlist guard 'a b 2'", "the list guard of x: b occurs twice"],
    ["list line 'GPIO17'", "(one value is an option: uci delete nound.x.line; uci set nound.x.line='GPIO17')"],
    ["list when 'door'", "the list when: expected a noun, a key and a value, found door"],
    ["list then 'PUT'", "the list then of x: expected a verb and a noun, found PUT"],
    ["list then 'PUT lamp on'", "the list then PUT lamp on of x: expected key=value, found on"],
    ["list when 'a b 1'\nlist when 'a b 2'", "the list when of x: b occurs twice"],
    ["list then 'POST a'\nlist then 'POST a'", "the list then of x: POST a occurs twice"],
  ])("what is no condition and no action is refused: %s", (list, sentence) => {
    expect(translate(`config noun 'x'\noption kind 'rule'\n${list}`)).toMatchObject({ status: 1 });
    expect(translate(`config noun 'x'\noption kind 'rule'\n${list}`).stderr).toContain(sentence);
  });

  test("the configuration that comes with the package is right", () => {
    const uci = readFileSync(join(project, "packaging/openwrt/nound/files/nound.config"), "utf8");
    const { stdout } = translate(uci);
    expect([...readConfiguration(parseJson(stdout)).nouns.keys()]).toEqual(["greeting"]);
  });

  test("the examples in the configuration of the package are right once they are no comments any more", () => {
    const uci = readFileSync(join(project, "packaging/openwrt/nound/files/nound.config"), "utf8");
    const { stdout } = translate(uci.replace(/^(\t?)#(?=config|\t|option|list)/gm, "$1"));
    const { nouns, limits, access } = readConfiguration(parseJson(stdout));
    expect([...nouns.keys()]).toEqual(["greeting", "pump", "night", "status"]);
    expect(limits.server).toEqual({ maxConnections: 32 });
    expect(access).toEqual({ tokens: "/etc/nound/tokens", hosts: ["hall.lan"], origins: ["https://panel.example"] });
  });

  test("what the page on Home Assistant says is right", () => {
    const page = readFileSync(join(project, "docs/home-assistant.md"), "utf8");
    const [, uci = ""] = /^```\n(config mqtt.*?)^```$/ms.exec(page) ?? [];
    const { mqtt, nouns } = readConfiguration(parseJson(JSON.stringify(translated(uci))));
    expect(mqtt).toMatchObject({ id: "hall", homeAssistant: true });
    expect([...nouns.keys()]).toEqual(["bell"]);
  });

  test("values are what JSON would read, and otherwise strings", () => {
    const values = ["0", "-5", "20.5", "007", "1.2.3", ".5", "5.", "-", "true", "null", '"17"', "a=b", "it's $HOME"];
    const uci = values.map((value, index) => `list default 'v${index}=${value.replaceAll("'", "'\\''")}'`).join("\n");
    expect(translated(`config noun 'x'\n${uci}`)).toEqual({
      nouns: {
        x: {
          default: {
            v0: 0,
            v1: -5,
            v2: 20.5,
            v3: "007",
            v4: "1.2.3",
            v5: ".5",
            v6: "5.",
            v7: "-",
            v8: true,
            v9: null,
            v10: "17",
            v11: "a=b",
            v12: "it's $HOME",
          },
        },
      },
    });
  });

  test("a number too long to be exact stays as it was written", () => {
    expect(translated("config noun 'x'\noption lease '9007199254740993'")).toEqual({
      nouns: { x: { lease: "9007199254740993" } },
    });
  });

  test("what names something is a string, even of digits", () => {
    expect(translated("config noun 'x'\noption key '1'\noption line '17'\noption channel '3'")).toEqual({
      nouns: { x: { key: "1", line: "17", channel: 3 } },
    });
  });

  test("a noun may have a name that UCI allows no section", () => {
    expect(translated("config noun\noption name 'hall-lamp'\noption kind 'switch'")).toEqual({
      nouns: { "hall-lamp": { kind: "switch" } },
    });
  });

  test("the sections key of a noun are its shape", () => {
    const uci = [
      "config noun 'climate'\noption kind 'value'\nlist default 'target=20.5'\nlist default 'mode=auto'",
      "config key\noption noun 'climate'\noption name 'target'\noption type 'number'\noption minimum '5'",
      "config key\noption noun 'climate'\noption name 'mode'\noption type 'choice'\nlist values 'auto'\n" +
        "list values '2'",
      "config key\noption noun 'other'\noption name 'x'\noption type 'string'",
      "config noun 'plain'\noption kind 'value'",
    ].join("\n");
    const json = translated(uci);
    expect(json).toEqual({
      nouns: {
        climate: {
          kind: "value",
          default: { target: 20.5, mode: "auto" },
          shape: { target: { type: "number", minimum: 5 }, mode: { type: "choice", values: ["auto", 2] } },
        },
        plain: { kind: "value" },
      },
    });
  });

  test("the sections key of a noun that is no value say more of the keys it has", () => {
    const uci = [
      "config noun 'battery'\noption kind 'adc'\noption title '12'\noption description 'In the cellar.'",
      "config key\noption noun 'battery'\noption name 'value'\noption title 'Voltage'\noption unit 'mV'",
    ].join("\n");
    expect(translated(uci)).toEqual({
      nouns: {
        battery: {
          kind: "adc",
          title: "12",
          description: "In the cellar.",
          keys: { value: { title: "Voltage", unit: "mV" } },
        },
      },
    });
  });

  test("the section documents switches them, as UCI writes switches", () => {
    const uci = [
      "config nound 'main'\noption title 'Hall'\noption address 'https://hall.example'\noption changes '64'\noption history '65536'",
      "config documents\noption description '1'\noption openapi 'off'\noption metrics '0'",
    ].join("\n");
    expect(translated(uci)).toEqual({
      title: "Hall",
      address: "https://hall.example",
      changes: 64,
      history: 65_536,
      documents: { description: true, openapi: false, metrics: false },
      nouns: {},
    });
  });

  test("limits and the keys of the whole file are passed on, the service's own are not", () => {
    const uci = [
      "config nound 'main'\noption enabled '1'\nlist interface 'lan'\noption port '80'\noption log 'errors'",
      "option gpioBackend 'sysfs'\noption user '1000'",
      "config limits 'limits'\noption maxConnections '8'\noption bodyBytes '512'",
      "config noun 'led'\noption kind 'switch'\noption key 'led'",
    ].join("\n");
    expect(translated(uci)).toEqual({
      log: "errors",
      gpioBackend: "sysfs",
      user: "1000",
      limits: { maxConnections: 8, bodyBytes: 512 },
      nouns: { led: { kind: "switch", key: "led" } },
    });
  });

  test("access is a section whose hosts and origins are lists of names or one name", () => {
    const uci = [
      "config access\noption tokens '/etc/nound/tokens'\nlist hosts '192.0.2.7'\nlist hosts 'hall.lan'",
      "option origins 'https://panel.example'",
      "config noun 'led'\noption kind 'switch'\noption key 'led'",
    ].join("\n");
    const json = translated(uci);
    expect(json).toEqual({
      access: { tokens: "/etc/nound/tokens", hosts: ["192.0.2.7", "hall.lan"], origins: "https://panel.example" },
      nouns: { led: { kind: "switch", key: "led" } },
    });
    expect(() => readConfiguration(parseJson(JSON.stringify(json)))).not.toThrow();
  });

  test("mqtt is a section whose brokers and groups are lists of names", () => {
    const uci = [
      "config mqtt\nlist broker '192.0.2.10:1883'\nlist broker 'unix:/run/broker.sock'",
      "option id '12'\noption user 'hall'\noption password '/etc/nound/mqtt-password'",
      "list groups 'lamps'\noption may 'GET,PUT *'\noption keepAlive '60'",
      "config noun 'led'\noption kind 'switch'\noption key 'led'",
    ].join("\n");
    const json = translated(uci);
    expect(json).toMatchObject({
      mqtt: {
        broker: ["192.0.2.10:1883", "unix:/run/broker.sock"],
        id: "12",
        user: "hall",
        password: "/etc/nound/mqtt-password",
        groups: ["lamps"],
        may: "GET,PUT *",
        keepAlive: 60,
      },
    });
    expect(() => readConfiguration(parseJson(JSON.stringify(json)))).not.toThrow();
  });

  test.each([
    ["an option", "option kind 'switch'\noption key 'led'\noption defualt '1'", "$.nouns.led.defualt: unknown key"],
    [
      "a number",
      "option kind 'gpio-output'\noption chip 'gpiochip0'\noption offset '5x'",
      "$.nouns.led.offset: expected",
    ],
    ["a boolean", "option kind 'gpio-output'\noption activeLow 'yess'", "$.nouns.led"],
  ])("%s that is wrong reaches nound, which refuses it", (_, options, sentence) => {
    const { stdout } = translate(`config noun 'led'\n${options}`);
    expect(() => readConfiguration(parseJson(stdout))).toThrow(sentence);
  });

  test.each([
    [
      "a section of another type",
      "config nuon 'led'",
      "expected a section nound, limits, access, mqtt, tls, https, documents, location, noun or key, found nuon",
    ],
    [
      "a second section of limits",
      "config limits\noption maxConnections '8'\nconfig limits\noption maxConnections '9'",
      "the sections: limits occurs twice, or together with a name that differs only in punctuation",
    ],
    [
      "an item without a key",
      "config noun 'led'\noption kind 'led'\nlist default 'on'",
      "the list default of led: expected key=value, found on",
    ],
    [
      "a list of one value where a value is expected",
      "config noun 'door'\noption kind 'switch'\nlist default 'on'",
      "the list default of door: expected key=value, found on (one value is an option: " +
        "uci delete nound.door.default; uci set nound.door.default='on')",
    ],
    [
      "an option without a key where there is a list of keys",
      "config noun 'led'\noption default 'on'\noption kind 'led'",
      "the list default of led: expected key=value, found on",
    ],
    [
      "a key of a state that is there twice",
      "config noun 'note'\nlist default 'a=1'\nlist default 'a=2'",
      "the list default of note: a occurs twice, or together with a name that differs only in punctuation",
    ],
    [
      "a noun that differs from another in punctuation alone",
      "config noun\noption name 'a-b'\noption kind 'switch'\nconfig noun 'a_b'\noption kind 'switch'",
      "the nouns: a_b occurs twice, or together with a name that differs only in punctuation",
    ],
    [
      "a key of a shape that is there twice",
      "config noun 'x'\nconfig key\noption noun 'x'\noption name 'a'\nconfig key\noption noun 'x'\noption name 'a'",
      "the keys of x: a occurs twice, or together with a name that differs only in punctuation",
    ],
  ])("%s is refused with a sentence", (_, uci, sentence) => {
    const { status, stdout, stderr } = translate(uci);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: `nound: /etc/config/nound: ${sentence}\n`,
    });
  });

  test("what was read once leaves nothing in what is read the next time", () => {
    root.write("etc/config/nound", "config noun 'a'\noption kind 'switch'\noption key 'a'");
    const other = "config noun 'a'\noption kind 'value'";
    const { stdout } = root.run(
      shell,
      `. "$HARNESS/openwrt.sh"; . "${translation}"; nound_load; printf '%s\\n' "${other}" > "$ROOT/etc/config/nound"
       nound_load && nound_print_json ${serviceOptions}`,
    );
    expect(JSON.parse(stdout)).toEqual({ nouns: { a: { kind: "value" } } });
  });
});
