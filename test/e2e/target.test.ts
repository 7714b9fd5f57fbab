/** Request targets and the names in them. */
import { test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { expectProblem, expectState } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { get } from "./harness/request.ts";
import { testSamples } from "./harness/sample-suite.ts";
import { forThisTest } from "./harness/served.ts";

testSamples("target");

test("a noun's name may have 64 characters, each of them allowed", async () => {
  const name = `${"abcdefghijklmnopqrstuvwxyz0123456789._~-".repeat(2).slice(0, 64)}`;
  const nound = forThisTest(await startNound({ nouns: { ...nouns, [name]: { kind: "value", default: { long: 1 } } } }));
  const connection = await RawConnection.open(nound.address);
  connection.send(get(`/${name.toUpperCase()}`));
  expectState(await connection.response(), { long: 1 });
  connection.send(get(`/${name}a`));
  expectProblem(await connection.response(), 404, "keep");
  connection.send(get(`/${name.slice(0, 63)}`));
  expectProblem(await connection.response(), 404, "keep");
});
