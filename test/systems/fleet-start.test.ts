/** docs/fleet.md: an operator who types its commands on Debian 12 has a broker with TLS, and devices that are online. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, top } from "../release/work-folder.ts";
import { fetchDebian, obstacle, runInDebian } from "./harness/debian-container.ts";

const page = readFileSync(join(top, "docs/fleet.md"), "utf8");
const [, section = ""] = /^## New devices$(.*?)^## /ms.exec(page) ?? [];
/** Its blocks of shell, in their order: the files of the devices, and the broker. */
const blocks = [...section.matchAll(/^ {3}```sh\n(.*?)^ {3}```$/gms)].map(([, text = ""]) => text);
const files = [
  "template.json",
  "new-devices.sh",
  "withdraw-devices.sh",
  "first-boot.sh",
  "mosquitto.conf",
  "mosquitto.acl",
];
/** The commands that withdraw a device. */
const [, withdraw = ""] = /^## Revoking$.*?^```sh\n(.*?)^```$/ms.exec(page) ?? [];
const packages = ["mosquitto", "mosquitto-clients", "openssl"];

const reason = process.arch === "x64" ? obstacle() : "its binary is for amd64";
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

/** A device in a namespace of its own, where it finds its own files in /etc/nound. */
const device = `cp -r "fleet/$1" "/run/$1" && mkdir -p "/run/$1-etc" "/run/$1-var" /etc/nound /var/lib/nound
mount --bind "/run/$1-etc" /etc/nound; mount --bind "/run/$1-var" /var/lib/nound
examples/fleet/first-boot.sh "/run/$1" /etc/nound root
exec ./nound --simulate --config /etc/nound/nound.json --listen 127.0.0.1:0
`;

test("the page has the commands", () => {
  expect(blocks).toHaveLength(2);
});

describe.skipIf(reason !== undefined)(`on Debian 12${notTried}`, () => {
  beforeAll(() => {
    installHostPackages({ "systemd-nspawn": "systemd-container", debootstrap: "debootstrap" }, "The test of systems");
    run("node", ["tools/build/build.mjs", "--part=nound-product", "x86_64"]);
    fetchDebian(packages);
  });

  test("each command of the page succeeds, and a command reaches all new devices", () => {
    const [make = "", broker = ""] = blocks;
    // Debian's program asks a terminal for the password.
    const answered = broker.replace(/mosquitto_passwd (\S+) panel/, "mosquitto_passwd -b $1 panel secret");
    const panel = "-h 127.0.0.1 -V 5 -u panel -P secret";
    const name = "broker.example.org";
    const outcomes = runInDebian(
      Object.fromEntries([
        ["nound", join(top, "build/x86_64/nound")],
        ...files.map((file) => [file, join(top, "examples/fleet", file)] as const),
      ]),
      {
        clone: `set -e; cd /root; mkdir -p examples/fleet; mv ${files.join(" ")} examples/fleet
          printf 'hall\\nporch\\n' > names
          sed 's/broker.example/${name}/; s/: 10000/: 0/' examples/fleet/template.json > template.json
          echo '127.0.0.1 ${name}' >> /etc/hosts; cat > device <<'END'\n${device}END`,
        make: `set -e; cd /root\n${make}`,
        server: `set -e; cd /root\n${answered}`,
        online: `cd /root; for name in $(cat names); do unshare --mount sh device $name > $name.log 2>&1 & done
          timeout 60 mosquitto_sub ${panel} -v -t 'nound/+' -C 2 | sort`,
        command: `mosquitto_pub ${panel} -t nound/lamps/relay/put -m '{"on":1}' && sleep 2
          timeout 60 mosquitto_sub ${panel} -v -t 'nound/+/relay' -C 2 | sort`,
        // The other device comes back, and takes a command. The withdrawn one keeps its last state at the broker.
        withdrawn: `set -e; cd /root\n${withdraw}
          for try in $(seq 30); do
            mosquitto_pub ${panel} -t nound/lamps/relay/put -m '{"on":0}'; sleep 1
            states=$(mosquitto_sub ${panel} -v -t 'nound/+/relay' -C 2 -W 10 | sort)
            case $states in *'porch/relay {"on":0}'*) break ;; esac
          done
          echo "$states"`,
      },
      packages,
    );
    for (const [step, { status, output }] of Object.entries(outcomes)) expect(status, `${step}: ${output}`).toBe(0);
    expect(outcomes.online.output).toBe("nound/hall online\nnound/porch online\n");
    expect(outcomes.withdrawn.output).toBe('nound/hall/relay {"on":1}\nnound/porch/relay {"on":0}\n');
    expect(outcomes.command.output).toBe('nound/hall/relay {"on":1}\nnound/porch/relay {"on":1}\n');
  });
});
