/** A LED that blinks at a rate. */
import { serve } from "nound";
import { name, version } from "../package.json";
import { blinkingLed } from "./blinking-led.ts";

serve({ name, version, listen: "127.0.0.1:8080", nouns: () => ({ led: blinkingLed("GPIO17") }) });
