/** The header field rows of the wire contract. */
import { testSamples } from "./harness/sample-suite.ts";

testSamples("header field");
