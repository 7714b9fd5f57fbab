/** The mirrors of a program, and the devices that they are of. This module is loaded by a program that has some. */

import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import { parseNounName } from "../../core/noun/name.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logFailure } from "../../platform/log.ts";
import { isChecking, loop, system } from "../../platform/platform.ts";
import { randomNumber } from "../../platform/random-number.ts";
import { reshaped, stateLimits } from "../../program/application/server.ts";
import { connect, numberOf } from "../client/connections.ts";
import { takeToken } from "../client/server-token.ts";
import { type HttpUrl, parseHttpUrl } from "../client/url.ts";
import { MirrorNoun, type MirrorWords } from "./mirror-noun.ts";
import { OtherDevice } from "./other-device.ts";

/**
 * The options of `mirrorNoun`. The words of the description replace those of the other device.
 *
 * @example
 * const options: MirrorOptions = { url: "https://porch.local:8443/bell", token: "/etc/nound/porch-token" };
 * server.register("bell", mirrorNoun(options));
 */
export interface MirrorOptions extends Omit<NounDescription, "keys" | "labels" | "deviceClass"> {
  /** The URL of the other device's noun, by http or https. */
  readonly url: string;
  /** The path of a file with the token for the other device; none if left out. */
  readonly token?: string;
  /** TLS for this device alone; that of the whole program if left out. */
  readonly tls?: TlsOptions;
  /** ms of silence after which the other device counts as gone; 30,000 if left out. */
  readonly keepAlive?: Milliseconds;
}

/** ms of silence; another device says something every 15 s at least. */
const usualKeepAlive = 30_000;

/** The other devices, by all that distinguishes a connection to them. */
const devices = ofProgram(() => new Map<string, OtherDevice>());

/** @returns the URL of the device's nouns, and the noun's name; undefined if it names none. */
export function mirroredNoun(url: HttpUrl): { readonly base: HttpUrl; readonly noun: string } | undefined {
  const [, path = "/", name = ""] = /^(.*\/)([^/?#]*)$/.exec(url.path) ?? [];
  try {
    return { base: { ...url, path }, noun: parseNounName(name) };
  } catch {
    return undefined;
  }
}

function deviceOf(base: HttpUrl, options: MirrorOptions, tokenText: string | undefined): OtherDevice {
  const { tls, token, keepAlive = usualKeepAlive } = options;
  const key = JSON.stringify([base.target, base.path, token, tls, keepAlive]);
  const known = devices().get(key);
  if (known !== undefined) return known;
  const device: OtherDevice = new OtherDevice(
    {
      clock: loop,
      connector: { connect },
      agent: `nound/${system.version}`,
      random: randomNumber,
      report: (description) => logFailure(`mirror of ${base.target}`, description),
      reshaped,
      onClosed: () => void devices().delete(key),
    },
    {
      url: base,
      target: numberOf(base.target, tls),
      isEncrypted: base.target.startsWith("https:"),
      token: tokenText,
      keepAlive,
      stateLimits,
    },
  );
  devices().set(key, device);
  return device;
}

/** Names the device to the connector. @throws Error with a sentence; TypeError for a malformed option. */
export function openMirror(options: MirrorOptions): Noun {
  const { url: text, token: path, keepAlive } = options;
  checkDuration("keepAlive", keepAlive, 1);
  const url = parseHttpUrl(text);
  const mirrored = url && mirroredNoun(url);
  if (mirrored === undefined) {
    throw new TypeError(`A mirror takes a URL such as https://porch.local:8443/bell, not ${text}.`);
  }
  const token = takeToken(`mirror ${text}`, path);
  const device = deviceOf(mirrored.base, options, token);
  const noun = new MirrorNoun(device, mirrored.noun, options as MirrorWords);
  if (!isChecking) device.add(noun);
  return noun;
}

/**
 * A noun of another nound, as if it were here. It cannot be read, and refuses changes with 503, while the other device
 * cannot be reached. Its shape is known once the other device was reached.
 * @throws TypeError for a URL that is none; Error with a sentence if its token cannot be read.
 *
 * @example
 * server.register("bell", mirrorNoun({ url: "http://192.0.2.10:8080/bell" }));
 */
export function mirrorNoun(options: MirrorOptions): Noun {
  return describeNoun(openMirror(options), options);
}
