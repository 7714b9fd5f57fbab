/**
 * Debian as debootstrap leaves it, with the Node and npm of this machine and a clone of nound: what a person has who
 * has read no more than the README. Each use gets a layer of its own over what was fetched once.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, top } from "../../release/work-folder.ts";

/** What the README asks for besides Node and npm, apart from the compiler. */
const packages = ["ca-certificates", "cmake", "git", "libstdc++6", "locales", "ninja-build", "procps", "tzdata"];

/** Which Debian, and what is unusual about it. */
export interface Circumstances {
  readonly suite: "bookworm" | "trixie";
  /** The folder of the clone, below the user's home. */
  readonly clone?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
  /** root, unless it is a user without sudo. */
  readonly user?: "root" | "ada";
  readonly withoutCompiler?: boolean;
  /** /tmp takes no programs. */
  readonly noexecTmp?: boolean;
  /** One processor of those that this machine has. */
  readonly oneCore?: boolean;
  /** After `npm ci`, there is nothing but loopback. */
  readonly network?: "none" | "IPv4 loopback";
}

/** Where this machine reaches npm's registry by an authority of its own, a root does, too. */
const { NODE_EXTRA_CA_CERTS: authorities } = process.env;

/** Why nobody can enter a root here, or undefined. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "another system is entered by root alone";
  return spawnSync("debootstrap", ["--version"]).error === undefined ? undefined : "debootstrap is not installed";
}

/** Fetches a Debian, unless that was done. @returns its folder. */
function fetchRoot(suite: string, withoutCompiler: boolean): string {
  const root = join(top, "build/systems", `bare-${suite}${withoutCompiler ? "-without-compiler" : ""}`);
  if (existsSync(root)) return root;
  const unfinished = `${root}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  const include = [...packages, ...(withoutCompiler ? [] : ["gcc", "libc6-dev"])].join(",");
  run("debootstrap", ["--variant=minbase", `--include=${include}`, suite, unfinished]);
  run("chroot", [unfinished, "localedef", "-i", "de_DE", "-f", "UTF-8", "de_DE.UTF-8"]);
  run("chroot", [unfinished, "useradd", "--create-home", "--shell", "/bin/sh", "ada"]);
  // Debian 12 has a Node that is too old.
  cpSync(realpathSync(process.execPath), join(unfinished, "usr/local/bin/node"));
  const npm = realpathSync(run("sh", ["-c", "command -v npm"]).trim());
  cpSync(join(dirname(npm), ".."), join(unfinished, "usr/local/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    run("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, join(unfinished, "usr/local/bin", name)]);
  renameSync(unfinished, root);
  return root;
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
    this.#base = fetchRoot(circumstances.suite, circumstances.withoutCompiler ?? false);
    this.#layer = join(top, "build/systems/layers", name);
    rmSync(this.#layer, { recursive: true, force: true });
    for (const folder of ["upper", "work", "root"]) mkdirSync(join(this.#layer, folder), { recursive: true });
    // A clone of what is committed, and of nothing that is built.
    run("git", ["clone", "--quiet", "--no-hardlinks", top, join(this.#layer, "upper", this.#clone)]);
    const same = ["/etc/resolv.conf", ...(authorities === undefined ? [] : [authorities])];
    for (const file of same) cpSync(file, join(this.#layer, "upper", file), { dereference: true });
    if (this.#user === "ada") run("chown", ["-R", "1000:1000", join(this.#layer, "upper", this.#home)]);
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
    const { environment = {}, umask = "022", noexecTmp, oneCore, network } = this.#circumstances;
    const variables = {
      HOME: this.#home,
      PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      ...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
      ...environment,
    };
    const words = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    const root = join(this.#layer, "root");
    const [upper, work] = [join(this.#layer, "upper"), join(this.#layer, "work")];
    const options = `lowerdir=${this.#base},upperdir=${upper},workdir=${work}`;
    const isCut = network !== undefined && !hasNetwork;
    const script = `
      set -e
      mount -t overlay overlay -o "$1" "$2"
      mount -t proc proc "$2/proc"
      mount -t sysfs -o ro sys "$2/sys"
      mount --rbind /dev "$2/dev"
      mount -t tmpfs -o mode=1777${noexecTmp === true ? ",noexec" : ""} tmp "$2/tmp"
      ${isCut ? "sysctl -q -w net.ipv6.conf.all.disable_ipv6=1; ip link set lo up" : ""}
      root="$2" clone="$3" command="$4"
      shift 4
      exec ${oneCore === true ? "taskset --cpu-list 0" : ""} chroot --userspec=${this.#user} "$root" \\
        env -i "$@" sh -c 'umask ${umask}; cd "$0" && exec sh -c "$1"' "$clone" "$command"`;
    const own = ["--mount", "--pid", "--fork", "--kill-child", ...(isCut ? ["--net"] : [])];
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(
      "unshare",
      [...own, "sh", "-c", script, "sh", options, root, this.#clone, command, ...words],
      { encoding: "utf8", timeout: limit * 1_000, killSignal: "SIGKILL", maxBuffer: 2 ** 28 },
    );
    return { status, printed: stdout + stderr, seconds: (performance.now() - started) / 1_000 };
  }

  /** Gives the clone the engine that this one has downloaded: a mirror that is out of reach fails no test. */
  bringEngine(): void {
    const downloads = join(top, "build/downloads");
    const names = existsSync(downloads) ? readdirSync(downloads).filter((name) => name.startsWith("quickjs-ng-")) : [];
    const folder = join(this.#layer, "upper", this.#clone, "build/downloads");
    mkdirSync(folder, { recursive: true });
    for (const name of names) cpSync(join(downloads, name), join(folder, name), { recursive: true });
    if (this.#user === "ada") run("chown", ["-R", "1000:1000", join(folder, "..")]);
  }

  /** Removes the layer. */
  remove(): void {
    rmSync(this.#layer, { recursive: true, force: true });
  }
}
