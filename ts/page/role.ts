/** What a noun is for people, by the keys of its state. */
import type { Key } from "./thing.ts";

/** Each has a tile of its own form, and its picture. */
export type Role = "rule" | "scene" | "cover" | "send" | "schedule";

/** The keys that a noun of each role has. */
const signs: readonly (readonly [Role, readonly string[]])[] = [
  ["rule", ["enabled", "holds", "runs", "last"]],
  ["scene", ["enabled", "runs", "last"]],
  ["cover", ["position", "moving"]],
  ["schedule", ["active", "enabled", "from", "to"]],
  ["send", ["status", "sent", "failed"]],
];

/** @returns the role; undefined for a noun that is no more than its keys. */
export function roleOf(keys: readonly Key[]): Role | undefined {
  if (keys.length < 2) return undefined;
  return signs.find(([, names]) => names.every((name) => keys.some((key) => key.name === name)))?.[0];
}

/** @returns the key by which a cover says what is wrong with it. */
export function failureKey(keys: readonly Key[]): Key | undefined {
  return roleOf(keys) === "cover" ? keys.find(({ name }) => name === "failure") : undefined;
}

/** Whether the noun counts the presses of a button. */
export function hasPresses(keys: readonly Key[]): boolean {
  return ["short", "long", "double"].every((name) => keys.some((key) => key.name === name && key.isPress));
}
