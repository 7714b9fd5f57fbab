/** The signature of a release: the commands of docs/install.md accept it, and no other file than the signed one. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const page = readFileSync(join(project, "docs/install.md"), "utf8");

/** A folder with SHA256SUMS, where commands run with keys of their own. */
class Release {
  readonly folder = mkdtempSync(join(tmpdir(), "nound-sign-"));

  constructor() {
    writeFileSync(join(this.folder, "SHA256SUMS"), "0123  nound\n");
    onTestFinished(() => {
      // gpg has started an agent for its keys.
      spawnSync("gpgconf", ["--kill", "all"], this.#options);
      rmSync(this.folder, { recursive: true });
    });
  }

  get #options() {
    return { cwd: this.folder, env: { ...process.env, GNUPGHOME: this.folder }, encoding: "utf8" } as const;
  }

  run(program: string, ...args: readonly string[]): void {
    execFileSync(program, args, { ...this.#options, stdio: "pipe" });
  }

  /** Signs SHA256SUMS as `npm run dist -- --sign KEY` does. */
  sign(key: string): void {
    const script = `import { sign } from ${JSON.stringify(join(project, "tools/dist/signature.mjs"))};`;
    this.run("node", "--input-type=module", "--eval", `${script} sign("SHA256SUMS", "${key}");`);
  }

  /** Types the command of the page that begins so. @returns its status and what it prints. */
  typed(beginning: string): { readonly status: number | null; readonly printed: string } {
    const command = page.split("\n").find((line) => line.startsWith(`    ${beginning}`)) ?? "false";
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], this.#options);
    return { status, printed: stdout + stderr };
  }
}

test.each([
  { args: ["--sign", "nobody@example.org"], told: "--sign nobody@example.org: there is no such private key" },
  { args: ["--debian", "mips"], told: "--debian mips: the architectures are amd64, arm64, armhf, riscv64" },
  { args: [], environment: { OPENWRT_SDK: tmpdir() }, told: `OPENWRT_SDK=${tmpdir()} is no SDK of OpenWrt` },
])("a release with $args and $environment is refused before anything is built", ({ args, environment, told }) => {
  const release = new Release();
  const { status, stdout, stderr } = spawnSync("node", [join(project, "tools/dist/dist.mjs"), ...args], {
    env: { ...process.env, GNUPGHOME: release.folder, ...environment },
    encoding: "utf8",
    timeout: 60_000, // a release that is not refused takes longer
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^nound: .*\n$/);
  expect(stderr).toContain(told);
});

const isMissing = (program: string, option: string) => spawnSync(program, [option]).error !== undefined;

test.skipIf(isMissing("ssh-keygen", "-?"))("a key of ssh signs SHA256SUMS, and a changed file is not accepted", () => {
  const release = new Release();
  release.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key");
  release.sign("key");
  const publicKey = readFileSync(join(release.folder, "key.pub"), "utf8");
  writeFileSync(join(release.folder, "signers"), `release ${publicKey}`);
  expect(release.typed("ssh-keygen -Y verify")).toMatchObject({ status: 0, printed: expect.stringContaining("Good") });
  appendFileSync(join(release.folder, "SHA256SUMS"), "4567  more\n");
  expect(release.typed("ssh-keygen -Y verify").status).not.toBe(0);
});

test.skipIf(isMissing("gpg", "--version"))("a key of gpg does, and its signature names the signer", () => {
  const release = new Release();
  const unprotected = ["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""];
  release.run("gpg", ...unprotected, "--quick-generate-key", "Ada Lovelace <ada@example.org>", "ed25519", "sign");
  release.sign("ada@example.org");
  const { status, printed } = release.typed("gpg --verify");
  expect({ status, printed }).toMatchObject({ status: 0, printed: expect.stringContaining("Good signature") });
  // This line is also there for a person who does not have the key.
  expect(printed).toContain('issuer "ada@example.org"');
  appendFileSync(join(release.folder, "SHA256SUMS"), "4567  more\n");
  expect(release.typed("gpg --verify")).toMatchObject({ status: 1, printed: expect.stringContaining("BAD") });
});
