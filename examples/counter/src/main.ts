/** Counts how often a button is pressed. */
import { serve } from "nound";
import { name, version } from "../package.json";
import { counter } from "./counter.ts";

serve({ name, version, listen: "127.0.0.1:8080", nouns: () => ({ counter: counter("GPIO27") }) });
