/** docs/troubleshooting.md quotes messages: each is one that the program has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const top = join(import.meta.dirname, "../..");
const page = readFileSync(join(top, "docs/troubleshooting.md"), "utf8");

/** All that can print a message, with the pieces of its literals put together again. */
const sources = ["ts", "native", "cli", "tools", "cmake", "toolchains", "test/tutorial"]
  .flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|c|h|mjs|cmake)$/.test(name))
      .map((name) => readFileSync(join(top, folder, name), "utf8")),
  )
  .join("\n")
  .replace(/"\s*(?:\+\s*|,\s*)?\n\s*"/g, "")
  .replaceAll('\\"', '"');

const messages = [...page.matchAll(/^### (.+)$/gm)].flatMap(([, heading = ""]) =>
  [...heading.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
);

test("the page has messages", () => {
  expect(messages.length).toBeGreaterThan(20);
});

test.each(messages)("%s", (message) => {
  const fragments = message.split("…").map((fragment) => fragment.trim());
  for (const fragment of fragments.filter((text) => text.length > 1)) {
    expect(sources.includes(fragment), fragment).toBe(true);
  }
});
