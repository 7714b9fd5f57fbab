/** Stands for a folder of /sys that an earlier process had, and whose device is gone. */
import type { AttributeFolder } from "../native/sysfs.ts";

/** The texts of attributes, by their names. */
export type AttributeTexts = { readonly [attribute: string]: string };

export class AbsentFolder implements AttributeFolder {
  readonly path: string;
  private readonly texts: AttributeTexts;

  /** @param texts the attributes that decide the shape of a noun. There are no others. */
  constructor(path: string, texts: AttributeTexts) {
    this.path = path;
    this.texts = texts;
  }

  has(attribute: string): boolean {
    return Object.hasOwn(this.texts, attribute);
  }

  read(attribute: string): string {
    const text = this.has(attribute) ? this.texts[attribute] : undefined;
    if (text === undefined) throw this.goneError();
    return text;
  }

  write(): void {
    throw this.goneError();
  }

  open(): AttributeFolder {
    throw this.goneError();
  }

  private goneError(): Error {
    return new Error(`${this.path} is gone`);
  }
}
