/**
 * nound-<version>-oci.tar: one image for the processors of PCs and boards, in the layout of the Open Container
 * Initiative (image-spec 1.1), made without a container engine. Each has the binary, its user and a configuration.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { tarOf } from "./archive.mjs";

const root = resolve(import.meta.dirname, "../..");

/** The targets that an image is made for, with the names of their platforms. */
export const platforms = {
  x86_64: { architecture: "amd64", os: "linux" },
  aarch64: { architecture: "arm64", os: "linux", variant: "v8" },
  armv7: { architecture: "arm", os: "linux", variant: "v7" },
};

/** The user that it runs as. No distribution's package has this number. */
const user = 62_380;

const mediaType = (name) => `application/vnd.oci.image.${name}`;

/** The root of the files: those of root in a first part, those of the user behind them. @returns an archive of tar. */
function filesystem(folder, target, seconds) {
  rmSync(folder, { recursive: true, force: true });
  const [common, own] = ["root", "user"].map((name) => resolve(folder, name));
  for (const name of ["usr/bin", "etc/nound", "var/lib"]) mkdirSync(resolve(common, name), { recursive: true });
  mkdirSync(resolve(own, "var/lib/nound"), { recursive: true });
  copyFileSync(resolve(root, "build", target, "nound"), resolve(common, "usr/bin/nound"));
  copyFileSync(resolve(root, "packaging/container/nound.json"), resolve(common, "etc/nound/nound.json"));
  writeFileSync(
    resolve(common, "etc/passwd"),
    `root:x:0:0:root:/:/sbin/nologin\nnound:x:${user}:${user}:nound:/var/lib/nound:/sbin/nologin\n`,
  );
  writeFileSync(resolve(common, "etc/group"), `root:x:0:\nnound:x:${user}:\n`);
  const whole = resolve(folder, "layer.tar");
  tarOf(common, whole, seconds, ["."]);
  const states = resolve(folder, "states.tar");
  tarOf(own, states, seconds, ["./var/lib/nound"], user);
  execFileSync("tar", ["--concatenate", `--file=${whole}`, states]);
  return readFileSync(whole);
}

/** Makes it of the binaries in build/<target>. @returns the path. */
export function containerImage({ version, seconds, dist, work, targets }) {
  const layout = resolve(work, "oci");
  rmSync(layout, { recursive: true, force: true });
  mkdirSync(resolve(layout, "blobs/sha256"), { recursive: true });
  const created = new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

  /** Stores what a descriptor names. @returns the descriptor. */
  const blob = (type, bytes) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(resolve(layout, "blobs/sha256", hash), bytes);
    return { mediaType: mediaType(type), digest: `sha256:${hash}`, size: bytes.length };
  };
  const json = (type, value) => blob(type, Buffer.from(JSON.stringify(value)));

  const labels = {
    "org.opencontainers.image.title": "nound",
    "org.opencontainers.image.description": "A small, strict REST server for what a device has",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.created": created,
  };
  const manifests = Object.entries(platforms)
    .filter(([target]) => targets.includes(target))
    .map(([target, platform]) => {
      const tar = filesystem(resolve(work, `oci-${target}`), target, seconds);
      const layer = blob("layer.v1.tar+gzip", gzipSync(tar, { level: 9 }));
      const config = json("config.v1+json", {
        created,
        ...platform,
        config: {
          User: `${user}:${user}`,
          ExposedPorts: { "8080/tcp": {} },
          Entrypoint: ["/usr/bin/nound"],
          Cmd: ["--config", "/etc/nound/nound.json"],
          Volumes: { "/var/lib/nound": {} },
          WorkingDir: "/var/lib/nound",
          Labels: labels,
          StopSignal: "SIGTERM",
        },
        rootfs: { type: "layers", diff_ids: [`sha256:${createHash("sha256").update(tar).digest("hex")}`] },
        history: [{ created, created_by: "npm run dist" }],
      });
      const manifest = { schemaVersion: 2, mediaType: mediaType("manifest.v1+json"), config, layers: [layer] };
      return { ...json("manifest.v1+json", manifest), platform };
    });
  const index = json("index.v1+json", {
    schemaVersion: 2,
    mediaType: mediaType("index.v1+json"),
    manifests,
    annotations: labels,
  });
  const named = { ...index, annotations: { "org.opencontainers.image.ref.name": version } };
  writeFileSync(resolve(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(resolve(layout, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  const file = resolve(dist, `nound-${version}-oci.tar`);
  tarOf(layout, file, seconds, ["blobs", "index.json", "oci-layout"]);
  return file;
}
