/**
 * How many devices are between a noun and the thing that it stands for: a mirror's noun has at least one. The
 * description of a device tells it, so that a ring of mirrors is found. A symbol names the property, because an
 * author's noun may have one of any name.
 */
import type { Noun } from "./noun.ts";

export const hops = Symbol("hops");

/** The most hops that a noun may have. */
export const mostHops = 4;

export interface HoppingNoun extends Noun {
  readonly [hops]?: number;
}
