/**
 * Debian as debootstrap leaves it, with the Node and npm of this machine and a clone of nound: what a person has who
 * has read no more than the README. Each use gets a layer of its own over what was fetched once.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, top } from "../../release/work-folder.ts";

/** What the README asks for besides Node and npm, and what a circumstance needs. */
const packages = [
  ...["ca-certificates", "cmake", "gcc", "git", "libc6-dev", "libstdc++6", "locales", "ninja-build", "procps"],
  "tzdata",
];

/** Which Debian, and what is unusual about it. */
export interface Circumstances {
  readonly suite: "bookworm" | "trixie";
  /** The folder of the clone, below the user's home. */
  readonly clone?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
  /** root, unless it is a user without sudo. */
  readonly user?: "root" | "ada";
  /** The Node of npm's package, in place of this machine's. */
  readonly node?: "22" | "24";
  /** Debian's packages that are installed, without those that they recommend. */
  readonly packages?: readonly string[];
  /** Packages that are missing, although others depend on them. */
  readonly without?: readonly string[];
  /** /tmp takes no programs. */
  readonly noexecTmp?: boolean;
  /** One processor of those that this machine has. */
  readonly oneCore?: boolean;
  /**
   * After `npm ci`, there is nothing but loopback: without IPv6, or with it and without what the first `npm test`
   * installs.
   */
  readonly network?: "none" | "IPv4 loopback";
}

/**
 * Where this machine reaches npm's registry by an authority of its own, a root does, too. The roots use the ports of
 * this machine.
 */
const { NODE_EXTRA_CA_CERTS: authorities, NOUND_FIRST_PORT: firstPort } = process.env;

/** Why nobody can enter a root here, or undefined. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "another system is entered by root alone";
  return spawnSync("debootstrap", ["--version"]).error === undefined ? undefined : "debootstrap is not installed";
}

const systems = join(top, "build/systems");

/** What is downloaded or compiled once for all roots: Debian's packages; by each user, npm's and zig's objects. */
const shared = (name: "apt" | "npm" | "zig", user = ""): string => join(systems, "shared", name, user);

/** Makes a folder by a function, unless that was done. @returns its path. */
function once(path: string, make: (unfinished: string) => void): string {
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  make(unfinished);
  renameSync(unfinished, path);
  return path;
}

/** Fetches a Debian. @returns its folder. */
function fetchRoot(suite: string): string {
  return once(join(systems, `bare-${suite}`), (root) => {
    mkdirSync(shared("apt"), { recursive: true });
    const options = [`--cache-dir=${shared("apt")}`, "--variant=minbase", "--components=main,non-free"];
    run("debootstrap", [...options, `--include=${packages.join(",")}`, suite, root]);
    for (const locale of ["de_DE", "fr_FR"])
      run("chroot", [root, "localedef", "-i", locale, "-f", "UTF-8", `${locale}.UTF-8`]);
    // Debian's installer writes it.
    writeFileSync(join(root, "etc/hosts"), "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n");
    run("chroot", [root, "useradd", "--create-home", "--shell", "/bin/sh", "ada"]);
    // Debian 12 has a Node that is too old.
    cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
    const npm = realpathSync(run("sh", ["-c", "command -v npm"]).trim());
    cpSync(join(dirname(npm), ".."), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    for (const name of ["npm", "npx"])
      run("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name)]);
  });
}

/** Fetches a Node by its major version. @returns its program. */
function fetchNode(version: string): string {
  const name = `node-linux-${process.arch}`;
  const folder = once(join(systems, `node-${version}`), (prefix) => {
    run("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", prefix, `${name}@${version}`]);
  });
  return join(folder, "node_modules", name, "bin/node");
}

/** What a command did. */
export interface Outcome {
  readonly status: number | null;
  readonly printed: string;
  readonly seconds: number;
}

/** A root in its circumstances, with a clone. */
export class BareRoot {
  readonly #circumstances: Circumstances;
  readonly #base: string;
  readonly #layer: string;

  constructor(circumstances: Circumstances, name: string) {
    this.#circumstances = circumstances;
    this.#base = fetchRoot(circumstances.suite);
    this.#layer = join(systems, "layers", name);
    rmSync(this.#layer, { recursive: true, force: true });
    for (const folder of ["upper", "work", "root"]) mkdirSync(join(this.#layer, folder), { recursive: true });
    // A clone of what is committed, and of nothing that is built.
    run("git", ["clone", "--quiet", "--no-hardlinks", top, join(this.#layer, "upper", this.#clone)]);
    const same = ["/etc/resolv.conf", ...(authorities === undefined ? [] : [authorities])];
    for (const file of same) cpSync(file, join(this.#layer, "upper", file), { dereference: true });
    if (circumstances.node !== undefined) {
      mkdirSync(join(this.#layer, "upper/usr/local/bin"), { recursive: true });
      cpSync(fetchNode(circumstances.node), join(this.#layer, "upper/usr/local/bin/node"));
    }
    if (this.#user === "ada") run("chown", ["-R", "1000:1000", join(this.#layer, "upper", this.#home)]);
    const caches = this.#caches;
    for (const cache of caches) mkdirSync(cache, { recursive: true });
    if (this.#user === "ada") run("chown", ["1000:1000", ...caches.slice(1)]);
    this.#installPackages();
  }

  /** What is mounted as the caches of apt, npm and zig. Without a network, npm has what `npm ci` has left. */
  get #caches(): readonly string[] {
    const npm = this.#circumstances.network === "none" ? join(this.#layer, "npm") : shared("npm", this.#user);
    return [shared("apt"), npm, shared("zig", this.#user)];
  }

  /** Installs and removes Debian's packages. @throws Error with what apt and dpkg printed. */
  #installPackages(): void {
    const { packages: wanted = [], without = [] } = this.#circumstances;
    const commands = [];
    if (wanted.length > 0)
      commands.push("apt-get update", `apt-get install -y --no-install-recommends ${wanted.join(" ")}`);
    if (without.length > 0) commands.push(`dpkg --purge --force-depends ${without.join(" ")}`);
    if (commands.length === 0) return;
    const { status, printed } = this.#enter(`export DEBIAN_FRONTEND=noninteractive; ${commands.join(" && ")}`, {
      user: "root",
      isCut: false,
      limit: 900,
    });
    if (status !== 0) throw new Error(printed);
  }

  get #user(): string {
    return this.#circumstances.user ?? "root";
  }

  get #home(): string {
    return this.#user === "root" ? "/root" : "/home/ada";
  }

  get #clone(): string {
    return join(this.#home, this.#circumstances.clone ?? "nound");
  }

  /**
   * Runs a command in the clone, as the user.
   *
   * @param command - For sh.
   * @param hasNetwork - Whether it may reach others, whatever the circumstances are.
   * @param limit - Seconds after which it is ended, which makes its status null.
   */
  run(command: string, hasNetwork: boolean, limit: number): Outcome {
    const isCut = this.#circumstances.network !== undefined && !hasNetwork;
    return this.#enter(command, { user: this.#user, isCut, limit });
  }

  #enter(command: string, how: { readonly user: string; readonly isCut: boolean; readonly limit: number }): Outcome {
    const { environment = {}, umask = "022", noexecTmp, oneCore, network } = this.#circumstances;
    const { user, isCut, limit } = how;
    const variables = {
      HOME: this.#home,
      PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      npm_config_cache: "/var/cache/npm",
      ZIG_GLOBAL_CACHE_DIR: "/var/cache/zig",
      // Whether a law holds does not depend on the machine: a few tries show that the test runs.
      NOUND_ORDERS: "20",
      ...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
      ...(firstPort === undefined ? {} : { NOUND_FIRST_PORT: firstPort }),
      ...environment,
    };
    const words = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    const root = join(this.#layer, "root");
    const [upper, work] = [join(this.#layer, "upper"), join(this.#layer, "work")];
    const options = `lowerdir=${this.#base},upperdir=${upper},workdir=${work}`;
    const loopback = network === "none" ? "" : "sysctl -q -w net.ipv6.conf.all.disable_ipv6=1; ";
    const script = `
      set -e
      exec 2>&1
      mount -t overlay overlay -o "$1" "$2"
      mount -t proc proc "$2/proc"
      mount -t sysfs -o ro sys "$2/sys"
      mount --rbind /dev "$2/dev"
      mount -t tmpfs -o mode=1777${noexecTmp === true ? ",noexec" : ""} tmp "$2/tmp"
      mkdir -p "$2/var/cache/npm" "$2/var/cache/zig"
      mount --bind "$3" "$2/var/cache/apt/archives"
      mount --bind "$4" "$2/var/cache/npm"
      mount --bind "$5" "$2/var/cache/zig"
      ${isCut ? `${loopback}ip link set lo up` : ""}
      root="$2" clone="$6" command="$7"
      shift 7
      exec ${oneCore === true ? "taskset --cpu-list 0" : ""} chroot --userspec=${user} "$root" \\
        env -i "$@" sh -c 'umask ${umask}; cd "$0" && exec sh -c "$1"' "$clone" "$command"`;
    const own = ["--mount", "--pid", "--fork", "--kill-child", ...(isCut ? ["--net"] : [])];
    const folders = [root, ...this.#caches, this.#clone];
    const started = performance.now();
    const { status, stdout } = spawnSync(
      "unshare",
      [...own, "sh", "-c", script, "sh", options, ...folders, command, ...words],
      { encoding: "utf8", timeout: limit * 1_000, killSignal: "SIGKILL", maxBuffer: 2 ** 28 },
    );
    return { status, printed: stdout, seconds: (performance.now() - started) / 1_000 };
  }

  /** Gives the clone the sources that this one has downloaded: a mirror that is out of reach fails no test. */
  bringSources(): void {
    const given = join(top, "build/downloads");
    const names = existsSync(given)
      ? readdirSync(given).filter((name) => /^(quickjs|libgpiod|mbedtls)-/.test(name))
      : [];
    const folder = join(this.#layer, "upper", this.#clone, "build/downloads");
    mkdirSync(folder, { recursive: true });
    for (const name of names) cpSync(join(given, name), join(folder, name), { recursive: true });
    if (this.#user === "ada") run("chown", ["-R", "1000:1000", join(folder, "..")]);
  }

  /** Removes the layer. */
  remove(): void {
    rmSync(this.#layer, { recursive: true, force: true });
  }
}
