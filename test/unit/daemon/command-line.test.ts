import { expect, test } from "vitest";
import { exitStatus, StartError } from "../../../ts/platform/start-error.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { parseCommandLine } from "../../../ts/program/daemon/command-line.ts";
import { helpText } from "../../../ts/program/daemon/help.ts";
import { parseJson } from "../../../ts/settings/json.ts";

const serve = { action: "serve", config: undefined, listen: [], account: undefined };
const check = { ...serve, action: "check", config: "a.json", isJson: false, isAll: false };

test.each([
  [["--config", "a.json"], { ...serve, config: "a.json" }],
  [["--config=a.json"], { ...serve, config: "a.json" }],
  [["--config=a=b.json"], { ...serve, config: "a=b.json" }],
  [["-c", "a.json"], { ...serve, config: "a.json" }],
  [["--simulate"], { ...serve }],
  [["--simulate", "--simulate", "--debug"], { ...serve }],
  [["--simulate", "-c", "a.json"], { ...serve, config: "a.json" }],
  [
    ["--listen", "127.0.0.1:0", "--simulate", "--listen=unix:/a=b", "--listen", "[::1]:80"],
    { ...serve, listen: ["127.0.0.1:0", "unix:/a=b", "[::1]:80"] },
  ],
  [["--simulate", "--user", "nound", "--group=gpio"], { ...serve, account: { user: "nound", group: "gpio" } }],
  [["--simulate", "--user=1000"], { ...serve, account: { user: "1000", group: undefined } }],
  [["--simulate", "--listen", "unix:/a,mode=0660"], { ...serve, listen: ["unix:/a,mode=0660"] }],
  [["--check", "-c", "a.json"], check],
  [["-c", "a.json", "--check", "--simulate", "--debug", "--listen", "[::]:80"], { ...check, listen: ["[::]:80"] }],
  [["--new-token", "panel"], { action: "new-token", name: "panel" }],
  [["--new-token=panel"], { action: "new-token", name: "panel" }],
  [["--forget", "-c", "a.json"], { ...check, action: "forget" }],
  [["--forget", "all", "--config=a.json"], { ...check, action: "forget", isAll: true }],
  [["--bom"], { action: "bom" }],
  [["--evidence", "-c", "a.json"], { ...check, action: "evidence" }],
  [
    ["--evidence", "json", "-c", "a.json", "--listen", "[::]:80"],
    { ...check, action: "evidence", listen: ["[::]:80"], isJson: true },
  ],
  [["--find"], { action: "find" }],
  [["--find", "button"], { action: "find-button" }],
  [["--find", "modbus", "/dev/ttyS1"], { action: "find-units", line: { device: "/dev/ttyS1", baud: 9_600 } }],
  [
    ["--find", "modbus", "/dev/ttyS1", "19200", "8E1"],
    { action: "find-units", line: { device: "/dev/ttyS1", baud: "19200 8E1" } },
  ],
  [["--help"], { action: "help" }],
  [["-h"], { action: "help" }],
  [["--version"], { action: "version" }],
  [["--simulate", "--version", "--unknown"], { action: "version" }],
  [["--help", "--version"], { action: "help" }],
])("reads %j", (args, command) => {
  expect(parseCommandLine(args)).toEqual(command);
});

test.each([
  [[], "there is nothing to serve: give --config FILE, or --simulate for a demonstration; see nound --help"],
  [["--debug"], "there is nothing to serve: give --config FILE, or --simulate for a demonstration; see nound --help"],
  [["--check"], "--check needs --config FILE; see nound --help"],
  [["button"], "unexpected argument button, did you mean --find button?; see nound --help"],
  [["--find", "--button"], "unknown option --button; see nound --help"],
  ...[
    ["-c", "a.json"],
    ["button", "--debug"],
  ].map((words): [string[], string] => [
    ["--find", ...words],
    "--find can be followed by button or modbus DEVICE, but not by other options; see nound --help",
  ]),
  ...[[], ["/dev/ttyS1", "/dev/ttyS2"], ["/dev/ttyS1", "9600", "19200"]].map((words): [string[], string] => [
    ["--find", "modbus", ...words],
    "--find modbus needs one serial device, as in nound --find modbus /dev/ttyS1 19200 8E1; see nound --help",
  ]),
  [["--find", "modbus", "ttyS1"], "unexpected argument ttyS1; see nound --help"],
  [["--check", "--simulate"], "--check needs --config FILE; see nound --help"],
  [
    ["--simulate", "--group", "gpio"],
    "--group needs --user NAME, the user to become with this group; see nound --help",
  ],
  [["--simulate", "--user"], "--user needs its NAME; see nound --help"],
  [
    ["--simulate", "--user", "a", "--user", "b"],
    "--user is given twice, and the program can become only one user; see nound --help",
  ],
  [
    ["--group", "a", "--group", "b"],
    "--group is given twice, and the user's other groups are added anyway; see nound --help",
  ],
  [["--foo"], "unknown option --foo; see nound --help"],
  [["--foo=secret"], "unknown option --foo; see nound --help"],
  [["--constructor"], "unknown option --constructor; see nound --help"],
  [["constructor"], "unexpected argument constructor; see nound --help"],
  [["-x"], "unknown option -x; see nound --help"],
  [["-ca.json"], "unknown option -ca.json; see nound --help"],
  [["--foo", "--help"], "unknown option --foo; see nound --help"],
  [["--"], "unexpected argument --; see nound --help"],
  [["--simulate", "--", "x"], "unexpected argument --; see nound --help"],
  [["app.js"], "unexpected argument app.js; see nound --help"],
  [["--new-token"], "--new-token needs its NAME; see nound --help"],
  [
    ["--new-token", "a", "--new-token", "b"],
    "--new-token is given twice, and only one token can be made; see nound --help",
  ],
  ...[["--debug"], ["-c", "a.json"], ["--listen", "[::]:80"]].map((more): [string[], string] => [
    ["--new-token", "a", ...more],
    "--new-token NAME cannot be combined with other options; see nound --help",
  ]),
  [["a.json"], "unexpected argument a.json, did you mean --config a.json?; see nound --help"],
  [["--config"], "--config needs its FILE; see nound --help"],
  [["-c"], "-c needs its FILE; see nound --help"],
  [["--config="], "--config needs its FILE; see nound --help"],
  [["--config", "--check"], "--config needs its FILE, found --check; see nound --help"],
  [["--config", "a", "-c", "b"], "--config is given twice, and only one configuration can be served; see nound --help"],
  [["--listen"], "--listen needs its ADDRESS; see nound --help"],
  [
    ["--listen", "8080"],
    '--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock, not "8080"' +
      "; see nound --help",
  ],
  [["--debug=1", "--simulate"], "--debug takes no value; see nound --help"],
  [["--help=1"], "--help takes no value; see nound --help"],
  [["--\u001b[2J\n"], "unknown option --\\u001b[2J\\u000a; see nound --help"],
])("refuses %j in one line", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(StartError);
  expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ message, status: exitStatus.usage }));
});

test("the help's smallest configuration is one", () => {
  const example =
    helpText()
      .split("\n")
      .find((line) => line.startsWith("  {")) ?? "";
  expect([...readConfiguration(parseJson(example)).nouns.keys()]).toEqual(["led"]);
});

test("the help fits 80 columns and names every option", () => {
  for (const line of helpText().split("\n")) {
    expect(line.length, line).toBeLessThanOrEqual(80);
  }
  const options = ["-c", "--config", "--simulate", "--listen", "--check", "--debug", "--version", "-h", "--help"];
  for (const option of options) {
    expect(helpText()).toContain(option);
  }
  expect(helpText().endsWith("\n")).toBe(true);
});
