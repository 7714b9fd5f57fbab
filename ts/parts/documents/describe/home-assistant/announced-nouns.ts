/** The nouns of a server as Home Assistant is told of them, and what it would refuse of them. */
import type { NounDirectory } from "../../../../core/feeds/noun-directory.ts";
import { traitsOf, undescribed } from "../../../../core/noun/noun-traits.ts";
import type { Verb } from "../../../../core/noun/verb.ts";
import type { RegisteredNoun } from "../../../../core/operations/noun-route.ts";
import { type AnnouncedDevice, type AnnouncedNoun, discovery } from "./discovery.ts";

const verbs: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** @param allows says which operations the broker's messages may have. @returns what is announced of each noun. */
export function* announcedNouns(
  nouns: Iterable<RegisteredNoun>,
  allows: (verb: Verb, noun: string) => boolean,
): Generator<AnnouncedNoun> {
  for (const { name, face: noun, isSettable } of nouns) {
    const { title, shape, updateShape, homeAssistant } = noun;
    const offered = isSettable ? verbs : verbs.filter((verb) => verb === "GET" || verb === "DELETE");
    const methods = offered.filter((verb) => allows(verb, name));
    yield {
      name,
      title,
      shape,
      updateShape,
      homeAssistant,
      methods,
      isUndescribed: traitsOf(noun)[undescribed] === true,
    };
  }
}

/** @returns by noun, a clause for each entity that Home Assistant would refuse. */
export function refusals(nouns: NounDirectory): readonly (readonly [noun: string, clause: string])[] {
  const all: (readonly [string, string])[] = [];
  const device: AnnouncedDevice = {
    id: "",
    title: "",
    label: "",
    version: "",
    status: "",
    topic: () => "",
    keyOf: (name, key) => nouns.find(name)?.face.shape?.[key],
    refuse: (...refusal) => all.push(refusal),
    nouns: announcedNouns(nouns.all(), () => true),
  };
  // The message itself is of no use here.
  for (const _ of discovery(device, new Map(), new Map()));
  return all;
}
