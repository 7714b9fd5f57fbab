/**
 * Builds the archive that the kernel unpacks as its first file system: cpio in the form "newc", as the kernel's
 * Documentation/driver-api/early-userspace/buffer-format.rst has it. The same content always gives the same bytes.
 */

/** A regular file of the archive. */
export interface ArchiveFile {
  /** From the root, without the first slash: `etc/nound.json`. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable?: boolean;
}

const directoryMode = 0o040755;
const fileMode = 0o100644;
const programMode = 0o100755;

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function entry(inode: number, path: string, mode: number, content: Uint8Array): Buffer {
  const links = mode === directoryMode ? 2 : 1;
  const name = Buffer.from(`${path}\0`, "utf8");
  // Inode, mode, user, group, links, time, size, two device numbers each of file and special file, name's size, check
  // sum.
  const fields = [inode, mode, 0, 0, links, 0, content.length, 0, 0, 0, 0, name.length, 0];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`;
  return Buffer.concat([padded(Buffer.concat([Buffer.from(header, "latin1"), name])), padded(Buffer.from(content))]);
}

/** Every folder above the files, those above before those below. */
function foldersOf(files: readonly ArchiveFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      folders.add(parts.slice(0, depth).join("/"));
    }
  }
  return [...folders].sort();
}

/** @param files in any order; the folders they are in come by themselves. @returns the archive, not compressed. */
export function initramfs(files: readonly ArchiveFile[]): Buffer {
  const entries: Buffer[] = [];
  for (const folder of foldersOf(files)) {
    entries.push(entry(entries.length + 1, folder, directoryMode, new Uint8Array()));
  }
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    entries.push(entry(entries.length + 1, file.path, file.executable ? programMode : fileMode, file.content));
  }
  entries.push(entry(0, "TRAILER!!!", 0, new Uint8Array()));
  return Buffer.concat(entries);
}
