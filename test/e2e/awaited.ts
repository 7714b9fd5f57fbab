/** Before each file of the end-to-end tests: an event that a test has waited for counts as a comparison. */
import { expect } from "vitest";
import { awaited } from "../harness/eventually.ts";

awaited.came = () => expect(awaited.came).toBeDefined();
