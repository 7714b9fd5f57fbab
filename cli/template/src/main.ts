/** The program: which nouns there are, and where they are served. */
import { serve } from "nound";
import { name, version } from "../package.json";
import { led } from "./led.ts";

export const server = serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns: () => ({ led: led("GPIO17") }),
});
