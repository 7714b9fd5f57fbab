/**
 * The simulated twin of `nound:files`: files by their paths. A folder is there as long as a file is in it.
 *
 *     const files = new SimulatedFiles();
 *     files.texts.set("/proc/uptime", "8.02 15.11\n");
 *     await files.readText("/proc/uptime", 4_096);
 */
import { byteLength } from "nound:utf8";
import type { Files } from "../files.ts";

export class SimulatedFiles implements Files {
  readonly texts: Map<string, string>;

  /** @param texts the files there are, by path. */
  constructor(texts: Map<string, string> = new Map()) {
    this.texts = texts;
  }

  async readText(path: string, limit: number, within?: string): Promise<string> {
    return this.read(path, limit, within);
  }

  /** As `names` of `nound:system`, of these files. */
  names(folder: string, prefix: string): readonly string[] {
    const start = `${folder}/${prefix}`;
    const beneath = [...this.texts.keys()].filter((file) => file.startsWith(start));
    const names = new Set(beneath.map((file) => file.slice(folder.length + 1).split("/")[0] ?? ""));
    return [...names].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  }

  /** As `readTextFile` of `nound:system`, of these files. */
  readTextFile(path: string, limit: number): string {
    return this.read(path, limit, undefined);
  }

  readTexts(paths: readonly string[], limit: number, within?: string): readonly string[] {
    const texts: string[] = [];
    for (let index = 0; index < paths.length; index++) texts[index] = this.read(paths[index] ?? "", limit, within);
    return texts;
  }

  async listFolder(path: string, limit: number, within?: string): Promise<string[]> {
    checkPath("list", path, within);
    const prefix = path.endsWith("/") ? path : `${path}/`;
    const beneath = [...this.texts.keys()].filter((file) => file.startsWith(prefix));
    const names = new Set(beneath.map((file) => file.slice(prefix.length).split("/")[0] ?? ""));
    if (names.size === 0) throw new Error(`cannot list ${path}: there is no such file`);
    if (names.size > limit) throw new Error(`cannot list ${path}: it has too many entries`);
    return [...names];
  }

  async writeText(path: string, text: string, within?: string): Promise<void> {
    checkPath("write", path, within);
    if (!this.texts.has(path)) throw new Error(`cannot write "${text}" to ${path}: there is no such file`);
    this.texts.set(path, `${text}\n`);
  }

  private read(path: string, limit: number, within: string | undefined): string {
    checkPath("read", path, within);
    const text = this.texts.get(path);
    if (text === undefined) throw new Error(`cannot read ${path}: there is no such file`);
    // A character has three bytes at most.
    if (3 * text.length > limit && byteLength(text) > limit) throw new Error(`cannot read ${path}: it is too large`);
    return text;
  }
}

function checkPath(what: string, path: string, within: string | undefined): void {
  if (!path.startsWith("/"))
    throw new Error(`"${path}" is not the path of a file or folder; such a path begins with /`);
  if (
    within !== undefined &&
    (!path.startsWith(`${within}/`) || (path.includes("..") && `${path}/`.includes("/../")))
  ) {
    throw new Error(`cannot ${what} ${path}: its path does not lead into ${within}`);
  }
}
