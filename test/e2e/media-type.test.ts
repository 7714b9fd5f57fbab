/** The media type rows of the wire contract. */
import { testSamples } from "./harness/sample-suite.ts";

testSamples("media type");
