/**
 * The vectors of the wire contract over real sockets, one after the other on connections that are kept. One process
 * serves them all. They come whole and one byte at a time, and each eighth over TLS: the answers are the same. To an
 * emulated processor none comes one byte at a time: the bytes are taken apart by the same code there.
 */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { isEmulated } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { announcesClose, expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { openDescriptors } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { readStates, statesOver } from "../harness/states.ts";
import { ample } from "../harness/time-limits.ts";
import { byteByByte, type Cut, whole } from "../wire/cuts.ts";
import { executed, nouns, stillState } from "../wire/nouns.ts";
import { hidden, judgeEach, methodOf, type Vector } from "../wire/vector.ts";
import { subjects } from "../wire/vectors.ts";

// A byte at a time may take long where others use the machine. How long is no subject here.
const limits = { headersTimeout: ample, bodyTimeout: ample, keepAliveTimeout: ample };
const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
const https = { certificate: temporaryPath("certificate.pem"), key: temporaryPath("key.pem") };
let sealed = "";
const nound = forAllTests(async () => {
  writeFileSync(https.certificate, own.pem, { mode: 0o600 });
  writeFileSync(https.key, own.key, { mode: 0o600 });
  sealed = `https://${await freeAddress()}`;
  return startNound({ nouns, limits, listen: [await freeAddress(), sealed], https });
});

/**
 * @returns the vector in parts, and the request behind it. A server may close as soon as it has answered what says
 * close, and the kernel resets a connection that bytes still reach then: so a request that must never be executed comes
 * together with the last part.
 */
function parts(vector: Vector, { cut }: Cut): readonly string[] {
  if (vector.end !== "close") return [...cut(vector.bytes + get("/still"))];
  const ownParts = [...cut(vector.bytes)];
  const last = ownParts.pop() ?? "";
  return [...ownParts, last + hidden];
}

/** Sends a vector with a request behind it: one that must be answered, or one that must never be executed. */
async function judge(connection: RawConnection, vector: Vector, cut: Cut): Promise<void> {
  const closes = vector.end === "close";
  const sent = connection.sendApart(parts(vector, cut));
  for (const [index, status] of vector.answers.entries()) {
    const method = index === 0 ? methodOf(vector) : "GET";
    const response = await connection.response(method);
    const fate = closes && index === vector.answers.length - 1 ? "close" : "keep";
    if (status !== 200) expectProblem(response, status, fate, method);
    else if (index === 0 && vector.state !== undefined) expectState(response, vector.state, fate);
    else expect(response.status, response.bytes).toBe(200);
    expect(announcesClose(response), response.bytes).toBe(fate === "close");
  }
  if (closes) await connection.closedInOrder();
  else expectState(await connection.response(), stillState);
  await sent;
}

let descriptors = Number.NaN;

test("the program serves before the first vector", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  // Once it answers, all that it keeps open is open.
  descriptors = openDescriptors(nound().pid);
  connection.drop();
});

const ways = [
  { cut: whole, how: whole.how, isSealed: false },
  { cut: whole, how: `${whole.how} over TLS`, isSealed: true },
  ...(isEmulated ? [] : [{ cut: byteByByte, how: byteByByte.how, isSealed: false }]),
];

describe.each(ways)("sent $how,", ({ cut, isSealed }) => {
  test.each(subjects)("the vectors of %s lead to what they say", async (_, vectors) => {
    const observer = await RawConnection.open(nound().address);
    let kept: RawConnection | undefined;
    const chosen = isSealed ? vectors.filter((_, at) => at % 8 === 0) : vectors;
    await judgeEach(chosen, async (vector) => {
      const untouched = vector.answers.includes(200) ? ["/canary", "/still"] : ["/led", "/note", "/canary", "/still"];
      const before = await statesOver(observer, untouched);
      const connection = kept ?? (await RawConnection.open(isSealed ? sealed : nound().address));
      kept = undefined;
      await judge(connection, vector, cut);
      if (vector.end === "keep") kept = connection;
      else connection.drop();
      expect(await statesOver(observer, untouched)).toEqual(before);
    });
  });
});

test("one process outlives all vectors, and closes their descriptors", async () => {
  await eventually("all descriptors are closed", () => openDescriptors(nound().pid) <= descriptors);
  expect(await readStates(nound(), ["/canary", "/still"])).toEqual([nouns.canary.default, stillState]);
});

test("the request that is hidden would be executed if it were read as one", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(hidden);
  expectState(await connection.response(), executed);
});
