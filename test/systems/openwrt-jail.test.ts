/** The package on OpenWrt's own procd and ujail: what a jail takes away, and what a reload keeps. */
import { beforeAll, describe, expect, test } from "vitest";
import { installNound } from "./harness/nound-package.ts";
import { OpenwrtDevice, obstacle } from "./harness/openwrt-device.ts";
import type { Outcome } from "./harness/steps.ts";

const reason = obstacle();
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

const lamp = "config noun 'lamp'\noption kind 'switch'\noption key 'on'\n";
const system = "config noun 'device'\noption kind 'system'\n";
const configure = (uci: string) => `cat > /etc/config/nound <<'END'\n${uci}\nEND\n`;
const reload = "/etc/init.d/nound reload";
/** The jail's process, which only a new start replaces, and the one in it, by its parent. */
const jail = `$(jsonfilter -s "$(ubus call service list '{"name":"nound"}')" -e '@[*].instances[*].pid')`;
const inJail = `$(grep -ls "^PPid:[[:space:]]*${jail}$" /proc/[0-9]*/status | cut -d / -f 3)`;
/** The process with the nouns, by its keeper. */
const nounsOf = (keeper: string) => `grep -ls "^PPid:[[:space:]]*${keeper}$" /proc/[0-9]*/status | cut -d / -f 3`;
/** Waits until a command succeeds. */
const until = (command: string, seconds = 20) =>
  `n=0; until ${command}; do n=$((n + 1)); [ $n -lt ${seconds} ] || exit 1; sleep 1; done`;
const get = (path: string, token = "") => {
  const header = `--header "Authorization: Bearer $(sed 's/.*: //' /root/secret-${token})"`;
  return `wget -q -O - ${token && header} http://127.0.0.1:8080${path} 2> /dev/null`;
};
const post = (path: string, state: string, token: string) =>
  `wget -q -O - --header "Authorization: Bearer $(sed 's/.*: //' /root/secret-${token})" \\
    --header 'Content-Type: application/json' --post-data '${state}' http://127.0.0.1:8080${path}`;
const put = (path: string, state: string) =>
  `wget -q -O - --header 'Content-Type: application/json' --post-data '${state}' http://127.0.0.1:8080${path}`;
const event = (type: string, data: string) => `ubus call service event '{"type":"${type}","data":${data}}'`;
const tokens = "config access\noption tokens '/etc/nound/tokens'\n";
const mirror = `config noun 'twin'
option kind 'mirror'
option of 'http://127.0.0.1:8080/lamp'
option token '/etc/nound/lamp-token'
`;
/** A rule in a zone that is three hours behind, of a minute that begins when the restart is over: in 20 to 80 s. */
const rule = `at=$(TZ='<-03>3' date -d @$(($(date +%s) + 80)) +%H:%M)
  cat > /root/nound.json <<END
{ "listen": "127.0.0.1:8080", "nouns": { "lamp": { "kind": "switch", "key": "on" },
  "evening": { "kind": "rule", "at": "$at", "then": { "PUT lamp": { "on": 1 } } } } }
END
`;

const commands = {
  start: `${configure(lamp + system)}/etc/init.d/nound start && (${until(get("/lamp"))})`,
  device: get("/device"),
  put: `${put("/lamp", '{"on":1}')}; echo; echo ${jail}`,
  reload: `${configure(`${lamp + system}config noun 'more'\noption kind 'switch'\noption key 'on'\n`)}${reload}`,
  kept: `echo ${jail}; ${get("/lamp")}; ${get("/more")}`,
  unchanged: `before=$(ls -di /proc/${inJail}/root/var/run/nound/nound.json); ${reload}
    [ "$(ls -di /proc/${inJail}/root/var/run/nound/nound.json)" = "$before" ] && ${get("/lamp")}`,
  command: `nound --reload ${jail} && nound --reload ${inJail}`,
  mistake: `${configure(`${lamp}option pulse 'x'\n`)}${reload}`,
  keptAfterMistake: `echo ${jail}; ${get("/lamp")}`,
  /* The second is added in place, and the jail sees it; the last one is in another file. */
  token: `mkdir -p /etc/nound
    for name in one two; do nound --new-token $name > /root/$name 2> /root/secret-$name; done
    cat /root/one > /etc/nound/tokens; ${configure(lamp + tokens)}${reload} && ${until(get("/lamp", "one"))}
    echo ${jail} > /root/jail; cat /root/two >> /etc/nound/tokens
    ${reload} && [ ${jail} = $(cat /root/jail) ] && ${get("/lamp", "two")}`,
  replacedToken: `cp /root/two /etc/nound/new; mv /etc/nound/new /etc/nound/tokens; ${reload}
    ${until(`[ "${jail}" != "$(cat /root/jail)" ]`)}; (${until(get("/lamp", "two"))}) && ! ${get("/lamp", "one")}`,
  /* Of its own lamp: the way out of the jail and back is that to another device. */
  mirror: `sed 's/.*: //' /root/secret-two > /etc/nound/lamp-token
    ${configure(lamp + tokens + mirror)}${reload}
    ${until(`[ "$(${get("/twin", "two")})" = '{"on":0}' ]`)}
    ${post("/twin", '{"on":1}', "two")}; ${get("/lamp", "two")}`,
  zone: `echo ${jail} > /root/jail; uci set system.@system[0].timezone='<-03>3'; uci commit system
    ${event("config.change", '{"package":"system"}')}
    ${until(`[ "${jail}" != "$(cat /root/jail)" ]`)}; tr '\\0' '\\n' < /proc/${inJail}/environ | grep ^TZ=`,
  rule: `${rule}${configure("config nound 'main'\noption config '/root/nound.json'\n")}/etc/init.d/nound restart
    ${until(`${get("/lamp")} | grep -q 1`, 90)}`,
  resolver: `${configure(`${lamp}config mqtt\noption broker 'broker.example:1883'\noption id 'hall'\n`)}${reload}
    (${until(get("/lamp"))}) > /root/lamp; echo ${jail} > /root/jail
    echo 'nameserver 192.0.2.2' > /tmp/resolv.conf.d/new; mv /tmp/resolv.conf.d/new /tmp/resolv.conf.d/resolv.conf.auto
    ${event("interface.update", '{"interface":"wan"}')}
    ${until(`[ "${jail}" != "$(cat /root/jail)" ]`)}; cat /proc/${inJail}/root/etc/resolv.conf`,
  /* As a package does: another file takes the name, then the service is started. */
  upgrade: `cp /usr/sbin/nound /usr/sbin/new; mv /usr/sbin/new /usr/sbin/nound; /etc/init.d/nound start
    ${until(`[ "$(ls -diL /proc/${inJail}/exe | cut -d ' ' -f 1)" = "$(ls -di /usr/sbin/nound | cut -d ' ' -f 1)" ]`)}`,
  /* The package keeps the program before it. The new one dies three times. */
  undone: `cp /usr/sbin/nound /usr/sbin/nound.previous; ${configure(lamp)}
    cp /usr/sbin/nound /usr/sbin/new; mv /usr/sbin/new /usr/sbin/nound; /etc/init.d/nound restart
    ${until(get("/lamp"))}; keeper=${inJail}
    for deaths in 1 2 3; do
      before=$(${nounsOf("$keeper")}); kill -9 $before
      ${until(`[ "$(${nounsOf("$keeper")})" != "$before" ] && ${get("/lamp")}`)}
    done; echo; ls -l /proc/$keeper/exe`,
  rights: `grep -E '^(Uid|CapEff|NoNewPrivs):' /proc/${inJail}/status
    ls /proc/${inJail}/root /proc/${inJail}/root/etc`,
} as const;

describe.skipIf(reason !== undefined)(`the package for OpenWrt, in procd's jail${notTried}`, () => {
  let outcome: Readonly<Record<keyof typeof commands, Outcome>>;
  beforeAll(async () => {
    const device = await OpenwrtDevice.make();
    installNound(device);
    outcome = device.run(commands);
  });

  /** The lines that a command printed, which has succeeded. */
  function lines(name: keyof typeof commands): readonly string[] {
    expect(outcome[name], name).toMatchObject({ status: 0 });
    return outcome[name].output.trimEnd().split("\n");
  }

  test("it serves, as its own user with one capability, and sees few files", () => {
    expect(lines("start").at(-1)).toBe('{"on":0}');
    const rights = lines("rights").join("\n");
    expect(rights).toMatch(/^Uid:\s+900\s+900\s+900\s+900$/m);
    expect(rights).toMatch(/^CapEff:\s+0+(400)?$/m);
    expect(rights).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(rights).not.toContain("root\n");
    expect(rights).not.toContain("config");
  });

  test("a noun of the kind system has its values", () => {
    const state = JSON.parse(lines("device").join(""));
    for (const key of ["uptime", "load1", "memoryTotal"]) expect(state[key], key).toEqual(expect.any(Number));
  });

  test("a changed configuration keeps the states and the process", () => {
    const [, process] = lines("put");
    expect(outcome.reload).toEqual({ status: 0, output: "" });
    expect(lines("kept")).toEqual([process, '{"on":1}{"on":0}']);
    expect(lines("unchanged")).toEqual(['{"on":1}']);
  });

  test("--reload from outside takes the number of the jail and that of nound", () => {
    expect(outcome.command).toEqual({ status: 0, output: "" });
  });

  test("a mistake is named by the file that people write, and changes nothing", () => {
    expect(outcome.mistake.status).toBe(1);
    expect(outcome.mistake.output).toMatch(/^nound: \/etc\/config\/nound: \$\.nouns\.lamp\.pulse: /);
    const [, process] = lines("put");
    expect(lines("keptAfterMistake")).toEqual([process, '{"on":1}']);
  });

  test("a token that is added counts at once, and one of another file after a start", () => {
    expect(lines("token").at(-1)).toMatch(/^\{"on":[01]\}\{"on":[01]\}$/);
    expect(lines("replacedToken")).toEqual(['{"on":0}']);
  });

  test("a mirror with a token follows and changes another device's noun", () => {
    expect(lines("mirror").at(-1)).toBe('{"on":1}{"on":1}');
  });

  test("a change of the system's time zone starts it again, and rules run at local times", () => {
    expect(lines("zone")).toEqual(["TZ=<-03>3"]);
    expect(outcome.rule, "the rule").toMatchObject({ status: 0 });
  });

  test("without dnsmasq, it resolves names by the servers that netifd has written last", () => {
    expect(lines("resolver").at(-1)).toBe("nameserver 192.0.2.2");
  });

  test("an upgrade has the new program run", () => {
    expect(outcome.upgrade, "the upgrade").toMatchObject({ status: 0 });
  });

  test("an upgrade whose program dies three times goes back by itself", () => {
    expect(lines("undone").join("\n")).toMatch(/nound\.previous$/m);
  });
});
