/** The container image of the release, as image-spec 1.1 describes it. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectedTargets } from "../targets/targets.ts";
import { dist, run, temporaryFolder, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const layout = temporaryFolder();
run("tar", ["-xf", join(dist, `nound-${version}-oci.tar`), "-C", layout]);

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string };
}

/** @returns the bytes that a descriptor names, once it is true of them. */
function blob({ digest, size }: Descriptor): Buffer {
  const bytes = readFileSync(join(layout, "blobs", digest.replace(":", "/")));
  expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(digest);
  expect(bytes.length).toBe(size);
  return bytes;
}

const json = (one: Descriptor) => JSON.parse(blob(one).toString());
const [index] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests;
const manifests: readonly Descriptor[] = json(index).manifests;
const architectures = Object.entries({ x86_64: "amd64", aarch64: "arm64", armv7: "arm" });
const made = selectedTargets().flatMap(({ name }) => architectures.filter(([target]) => target === name));

test("one index has an image for each processor, and all hashes and sizes are right", () => {
  expect(manifests.map(({ platform }) => platform?.architecture).sort()).toEqual(made.map(([, name]) => name).sort());
  expect(readdirSync(join(layout, "blobs/sha256"))).toHaveLength(1 + 3 * made.length);
});

test.each(made)(
  "the image for %s is small, and has the binary, a user of its own and a configuration",
  (target, name) => {
    const manifest = manifests.find(({ platform }) => platform?.architecture === name) as Descriptor;
    const { config, layers } = json(manifest) as { config: Descriptor; layers: readonly [Descriptor] };
    const [layer] = layers;
    expect(layer.size).toBeLessThan(3_000_000);
    const folder = join(temporaryFolder(), target);
    mkdirSync(folder);
    const packed = join(layout, "blobs", layer.digest.replace(":", "/"));
    run("tar", ["-xzf", packed, "-C", folder]);
    blob(layer);
    const { config: settings, rootfs } = json(config);
    expect(rootfs.diff_ids).toHaveLength(1);
    const [user] = settings.User.split(":");
    expect(readFileSync(join(folder, "etc/passwd"), "utf8")).toContain(`\nnound:x:${user}:`);
    expect(Number(user)).toBeGreaterThan(0);
    const binary = readFileSync(join(folder, settings.Entrypoint[0]));
    expect(binary.equals(readFileSync(join(top, "build", target, "nound")))).toBe(true);
    expect(statSync(join(folder, settings.Entrypoint[0])).mode & 0o777).toBe(0o755);
    expect(JSON.parse(readFileSync(join(folder, settings.Cmd[1]), "utf8")).listen).toBe("0.0.0.0:8080");
  },
);
