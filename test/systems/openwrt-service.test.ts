/** The package on OpenWrt's own programs without procd-ujail: what the init script does, and what people read. */
import { beforeAll, describe, expect, test } from "vitest";
import { installNound } from "./harness/nound-package.ts";
import { OpenwrtDevice, obstacle } from "./harness/openwrt-device.ts";
import type { Outcome } from "./harness/steps.ts";

const reason = obstacle();
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

const lamp = "config noun 'lamp'\noption kind 'switch'\noption key 'on'\n";
const configure = (uci: string) => `cat > /etc/config/nound <<'END'\n${uci}\nEND\n`;
const service = (command: string) => `: > /root/log; /etc/init.d/nound ${command}`;
/** Waits until nound answers on a port. */
const get = (path: string, port = 8080) =>
  `for n in 1 2 3 4 5 6 7 8 9 10; do
    wget -q -O - http://127.0.0.1:${port}${path} 2> /dev/null && exit 0
    sleep 1
  done; exit 1`;
/** The process that procd knows, which a reload does not replace. */
const processId = `jsonfilter -s "$(ubus call service list '{"name":"nound"}')" -e '@[*].instances[*].pid'`;

const commands = {
  start: `${service("start")} && ${get("/greeting")}`,
  user: `sleep 1; grep ^Uid /proc/$(${processId})/status`,
  log: "cat /root/log",
  before: processId,
  wrongReload: `${configure(`${lamp}\noption off 'x'\noption nothing '1'`)}${service("reload")}`,
  wrongStart: service("start"),
  afterWrong: `${processId}; ${get("/greeting")}`,
  wrongRestart: service("restart"),
  afterRestart: get("/greeting"),
  last: processId,
  syntax: `${configure("config noun 'lamp\n")}${service("reload")}`,
  two: `${configure(`config nound 'a'\nconfig nound 'b'\n${lamp}`)}${service("reload")}`,
  validation: configure(`config nound 'main'\noption port '99999'\noption family 'ipv5'\n${lamp}`) + service("reload"),
  validationLog: "cat /root/log",
  afterAll: processId,
  unnamed: `${configure(`config nound\noption port '8081'\n${lamp}`)}${service("reload")} && (${get("/lamp", 8081)})`,
  restart: `old=$(${processId}); ${service("restart")} && (${get("/lamp", 8081)}) && sleep 1 &&
    [ "$(${processId})" != "$old" ]`,
  unchanged: `old=$(${processId}); ${service("reload")}; sleep 1; [ "$(${processId})" = "$old" ]`,
  hotplug: `old=$(${processId}); ACTION=add; . /etc/hotplug.d/leds/50-nound; sleep 1; [ "$(${processId})" = "$old" ]`,
  interface: `${configure(`config nound 'main'\nlist interface 'lna'\n${lamp}`)}${service("reload")}; cat /root/log`,
  json: `umask 077
    echo '{ "listen": "127.0.0.1:8082", "nouns": { "lamp": { "kind": "switch", "key": "on" } } }' > /root/nound.json
    ${configure("config nound 'main'\noption config '/root/nound.json'\n")}${service("reload")} &&
    (${get("/lamp", 8082)})`,
  absentJson: `${configure("config nound 'main'\noption config '/root/nothing.json'\n")}${service("reload")}`,
  rule: `${configure(`${lamp}config noun 'off'\noption kind 'rule'\nlist when 'lamp on 1'\nlist then 'DELETE lamp'`)}
    ${service("reload")} && cat /var/run/nound/nound.json`,
  stopped: `${service("stop")}; sleep 2; ${processId}`,
  wrongFirst: `rm -r /var/run/nound; ${configure(`${lamp}\noption nothing '1'`)}
    ${service("start")}; echo $?; ${processId}`,
  corrected: `${configure(lamp)}ubus call service event '{"type":"config.change","data":{"package":"nound"}}'
    ${get("/lamp")}`,
} as const;

describe.skipIf(reason !== undefined)(`the package for OpenWrt, without a jail${notTried}`, () => {
  let outcome: Readonly<Record<keyof typeof commands, Outcome>>;
  beforeAll(async () => {
    const device = await OpenwrtDevice.make(["sbin/ujail"]);
    installNound(device);
    outcome = device.run(commands);
  });

  const lines = (name: keyof typeof commands) => outcome[name].output.trimEnd().split("\n");

  test("it starts as its own user, and says what is missing without the jail", () => {
    expect(outcome.start, outcome.start.output).toMatchObject({ status: 0 });
    expect(outcome.start.output).toContain('{"text":"hello"}');
    expect(outcome.user.output).toMatch(/^Uid:\s+900\s+900\s+900\s+900$/m);
    expect(outcome.log.output).toContain("procd-ujail is not installed");
  });

  test.each(["wrongReload", "wrongStart", "wrongRestart"] as const)("%s fails with the sentence", (command) => {
    expect(outcome[command].status).toBe(1);
    expect(outcome[command].output).toContain("nound: /etc/config/nound: $.nouns.lamp.");
  });

  test("a configuration with a mistake leaves what runs, and what a restart serves", () => {
    expect(lines("afterWrong")).toEqual([outcome.before.output.trim(), '{"text":"hello"}']);
    expect(outcome.afterRestart.output).toContain('{"text":"hello"}');
  });

  test("a mistake of UCI's syntax is called one", () => {
    expect(outcome.syntax.status).toBe(1);
    expect(outcome.syntax.output).toMatch(/there is a syntax error: uci: Parse error .* line \d/);
  });

  test("two sections nound are refused", () => {
    expect(outcome.two).toEqual({
      status: 1,
      output: "nound: /etc/config/nound: there is more than one section nound; keep one\n",
    });
  });

  test("every invalid option of the service is reported", () => {
    expect(outcome.validation.status).toBe(1);
    expect(lines("validationLog")).toEqual([
      'nound: /etc/config/nound: main.family=ipv5 is not a valid or("ipv4", "ipv6", "any")',
      "nound: /etc/config/nound: main.port=99999 is not a valid port",
    ]);
    expect(outcome.afterAll.output).toBe(outcome.last.output);
  });

  test("one section nound without a name counts", () => {
    expect(outcome.unnamed.output).toContain('{"on":0}');
  });

  test("a restart starts the daemon again, a reload and a device that comes late only what has changed", () => {
    for (const name of ["restart", "unchanged", "hotplug"] as const)
      expect(outcome[name], outcome[name].output).toMatchObject({ status: 0 });
  });

  test("an interface that the device does not have is reported", () => {
    expect(outcome.interface.output).toContain("no network interface lna");
  });

  test("a JSON configuration that root alone may read is served, and one that is not there is refused", () => {
    expect(outcome.json.output).toContain('{"on":0}');
    expect(outcome.absentJson.status).toBe(1);
    expect(outcome.absentJson.output).toContain("main.config=/root/nothing.json is not a valid file");
  });

  test("OpenWrt's jshn writes the objects of a rule as they are", () => {
    const { off } = JSON.parse(outcome.rule.output.trimEnd().split("\n").at(-1) ?? "").nouns;
    expect(off).toEqual(
      JSON.parse('{ "kind": "rule", "when": { "lamp": { "on": 1 } }, "then": { "DELETE lamp": {} } }'),
    );
  });

  test("after a first start with a mistake nothing runs, until the configuration is changed", () => {
    expect(outcome.stopped.output.trim()).toBe("");
    expect(lines("wrongFirst").slice(1)).toEqual(["1"]);
    expect(outcome.corrected.output).toContain('{"on":0}');
  });
});
