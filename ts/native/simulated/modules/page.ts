/** Replaces `nound:page` on Node: a page of some bytes that are no text. */
import type { Page } from "../../page.ts";

export const bytes: Page["bytes"] = () => new Uint8Array([0x1f, 0x8b, 0x08, 0x00, 0xff, 0x80]).buffer;
export const languages: Page["languages"] = () => "de";
export const words: Page["words"] = () => new Uint8Array([0x1f, 0x8b, 0xff]).buffer;
export const tag: Page["tag"] = () => '"simulated"';
export const policy: Page["policy"] = () => "default-src 'none'";
