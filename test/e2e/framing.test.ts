/** The framing rows of the wire contract. */
import { testSamples } from "./harness/sample-suite.ts";

testSamples("framing");
