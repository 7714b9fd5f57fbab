/**
 * A Home Assistant in a folder of its own: a Debian with the Python that it needs, made by debootstrap, and packages
 * from PyPI. It is fetched once. Everything that its integrations need is fetched too, so it runs without a network.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../fleet/namespaces.ts";
import { again } from "../harness/again.ts";
import { top } from "../harness/top.ts";

/** A version of Home Assistant, and the Debian whose Python runs it. */
export interface Version {
  readonly name: string;
  readonly suite: string;
  /** Debian's packages besides Python, to compile what PyPI has only as sources for this Python. */
  readonly compiler: readonly string[];
}

/** The version that is judged whole, and the oldest one that the docs promise. */
export const newest: Version = { name: "2026.11.0", suite: "testing", compiler: [] };
export const oldest: Version = {
  name: "2024.12.5",
  suite: "trixie",
  compiler: ["gcc", "g++", "libc6-dev", "python3-dev"],
};

/** The integrations of the configuration; what they depend on comes with them. */
export const integrations = [
  "http",
  "frontend",
  "config",
  "history",
  "recorder",
  "logbook",
  "automation",
  "energy",
  "diagnostics",
  "mqtt",
];

const certificates = "/etc/ssl/certs/ca-certificates.crt";

/**
 * Installs the packages that integrations need, in the versions that Home Assistant names. With "page", also those that
 * its page needs: it asks for all services, and Home Assistant imports what is at a microphone to describe them. Nobody
 * speaks here, so nothing is compiled for that.
 */
const requirements = `
import json, pathlib, re, subprocess, sys
import homeassistant
root = pathlib.Path(homeassistant.__file__).parent
known, needed, left = set(), set(), sys.argv[1:] + ["homeassistant", "person", "analytics", "backup"]
compiled = {}
if "page" in left:
    described = (root / "helpers/service.py").read_text().partition("def _base_components")[2].partition("return {")[0]
    left += re.findall("([a-z_]+),\\n", described)
    compiled = {"pymicro-vad": "MicroVad", "pyspeex-noise": "AudioProcessor"}
while left:
    domain = left.pop()
    manifest = root / "components" / domain / "manifest.json"
    if domain in known or not manifest.exists():
        continue
    known.add(domain)
    read = json.loads(manifest.read_text())
    needed.update(read.get("requirements", []))
    left += read.get("dependencies", []) + read.get("after_dependencies", []) * (domain in ("frontend", "mqtt"))
for package, name in compiled.items():
    needed = {one for one in needed if not one.startswith(package + "==")}
    (root.parent / (package.replace("-", "_") + ".py")).write_text(name + " = None\\n")
install = ["uv", "pip", "install", "--quiet", "--python", sys.executable]
constraints = ["--constraint", str(root / "package_constraints.txt")]
sys.exit(subprocess.call(install + constraints + sorted(needed)))
`;

/** @returns the root folder of a version's Debian. */
export function rootOf({ name }: Version): string {
  return join(top, "build/home", name);
}

/** Runs a command there, as root. The file systems of the kernel are mounted in a namespace that ends with it. */
function runThere(root: string, ...words: readonly string[]): string {
  const mounts = ["proc", "sys", "dev"].map((name) => `mount --rbind /${name} ${root}/${name}`).join(" && ");
  const path = "PATH=/home-assistant/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const environment = ["-i", path, "HOME=/root", `SSL_CERT_FILE=${certificates}`, "PIP_DISABLE_PIP_VERSION_CHECK=1"];
  const inside = ["chroot", root, "env", ...environment, ...words];
  return run("unshare", "--mount", "sh", "-c", `${mounts} && exec "$@"`, "sh", ...inside);
}

/** Runs a command in an installed version. @returns what it prints. */
export function runIn(version: Version, ...words: readonly string[]): string {
  return runThere(rootOf(version), ...words);
}

export function isInstalled(version: Version): boolean {
  return existsSync(rootOf(version));
}

/** Fetches a version. */
export function install(version: Version): void {
  const root = rootOf(version);
  const unfinished = `${root}.unfinished`;
  const { name, suite, compiler } = version;
  console.log(`Fetching Home Assistant ${name} into a Debian ${suite}.`);
  again(() => {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const packages = ["python3", "python3-venv", "ca-certificates", ...compiler].join(",");
    run("debootstrap", "--variant=minbase", `--include=${packages}`, suite, unfinished);
  });
  if (existsSync(certificates)) copyFileSync(certificates, join(unfinished, certificates));
  copyFileSync("/etc/resolv.conf", join(unfinished, "etc/resolv.conf"));
  writeFileSync(join(unfinished, "root/requirements.py"), requirements);
  runThere(unfinished, "python3", "-m", "venv", "/home-assistant");
  const python = "/home-assistant/bin/python";
  again(() => runThere(unfinished, python, "-m", "pip", "install", "--quiet", "uv"));
  const packages = ["uv", "pip", "install", "--quiet", "--python", python];
  again(() => runThere(unfinished, ...packages, `homeassistant==${name}`));
  const page = version === newest ? ["page"] : [];
  again(() => runThere(unfinished, python, "/root/requirements.py", ...integrations, ...page));
  rmSync(join(unfinished, "root/.cache"), { recursive: true, force: true });
  renameSync(unfinished, root);
}
