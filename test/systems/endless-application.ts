/** An application whose noun `stuck` spends minutes inside a built-in function, which nothing in the process interrupts. */
import { defineNoun, serve, switchNoun } from "nound";

serve({
  name: "endless",
  version: "1.0.0",
  listen: "127.0.0.1:8080",
  nouns: () => ({
    lamp: switchNoun({ key: "on" }),
    stuck: defineNoun({
      shape: { found: { type: "boolean" } },
      // Compares five million characters at five million places.
      get: () => ({ found: "a".repeat(10_000_000).includes(`${"a".repeat(5_000_000)}b`) }),
    }),
  }),
});
