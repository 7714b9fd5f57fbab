/**
 * Nothing is accepted that Node refuses: whatever bytes come, each request that this parser accepts is one for Node's
 * strict parser, too, with the same method, the same target and the same body. Five exceptions:
 *
 * - A method that Node does not know makes a request here, and ends with 501. CONNECT is not compared, because Node
 *   hands the connection over with it.
 * - A target of no form that HTTP has makes a request here, and ends with 400.
 * - A tab beside the value of a Content-Length is white space here (RFC 9110, 5.6.3), and an error to Node.
 * - Proxy-Connection means nothing here (RFC 9112, C.2.2), and the same as Connection to Node.
 * - Upgrade is ignored here (RFC 9110, 7.8); Node stops reading requests at it, as at CONNECT.
 */
import { METHODS } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { targetPath } from "../../../ts/core/http/request-target.ts";
import { hidden } from "../../wire/vector.ts";
import { vectors } from "../../wire/vectors.ts";
import { type ReadRequest, read } from "../server/reading.ts";
import { chunkedStreams, encodedBodies } from "./chunked-streams.ts";
import { readByNode } from "./node-server.ts";
import { requestStreams, requests } from "./request-streams.ts";

function isExcepted({ method, target }: ReadRequest): boolean {
  if (method === "CONNECT" || !METHODS.includes(method)) return true;
  try {
    targetPath(target.split("?")[0] ?? "");
    return false;
  } catch {
    return true;
  }
}

/** Field lines of the last three exceptions. */
const otherwise = /^(?:content-length:[^\r\n]*\t|proxy-connection:|upgrade:)/im;

/**
 * Expects Node to accept what is accepted here, with the same bodies and the same boundaries. @returns how many
 * requests were compared.
 */
async function compare(bytes: string): Promise<number> {
  if (otherwise.test(bytes)) return 0;
  const { requests } = read([bytes]);
  const first = requests.findIndex(isExcepted);
  const compared = first < 0 ? requests : requests.slice(0, first);
  const node = await readByNode(bytes);
  for (const [index, request] of compared.entries()) expect(node[index]).toEqual({ ...request, complete: true });
  return compared.length;
}

test("of every vector, Node accepts what is accepted here", async () => {
  const differently: string[] = [];
  for (const { name, bytes } of vectors) {
    await compare(bytes + hidden).catch(() => differently.push(name));
  }
  expect(differently).toEqual([]);
});

test("of requests with some bytes changed, Node accepts what is accepted here", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(requestStreams, async (stream) => {
      compared += await compare(stream);
    }),
    { numRuns: 1_500 },
  );
  expect(compared).toBeGreaterThan(300);
});

const trick = fc.constantFrom(
  ...'\r\n|\n|\r|\r\r\n|\n\r|\0|\t|\x0b|\x0c|\x7f|\x85|\xa0|\xff| |,|;|:|"|\\|+|-|_|0|0x|1|9'.split("|"),
  ..."\r\n | chunked|,chunked|close|HTTP/1.1|/../|%0d%0a|#|?|@|[|{".split("|"),
  "\r\nContent-Length: 3",
  "\r\nTransfer-Encoding: chunked",
  "\r\nHost: b",
  "0\r\n\r\n",
  ";a=b",
  "\r\n\r\n",
);

/** A place where requests come apart: at the end of a line, a colon or a space. */
const seam = /(?<=[\r\n: ])|(?=[\r\n: ])/g;

/** A request or two with tricks at their seams. */
const tricked = fc
  .tuple(
    fc.array(requests, { minLength: 1, maxLength: 2 }),
    fc.array(fc.tuple(fc.nat(), trick), { minLength: 1, maxLength: 2 }),
  )
  .map(([row, tricks]) => {
    let bytes = row.join("");
    for (const [place, added] of tricks) {
      const seams = [...bytes.matchAll(seam)].map(({ index }) => index);
      const at = seams[place % seams.length] ?? 0;
      bytes = bytes.slice(0, at) + added + bytes.slice(at);
    }
    return bytes;
  });

test("of requests with tricks where they come apart, Node accepts what is accepted here", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(tricked, async (stream) => {
      compared += await compare(stream);
    }),
    { numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(300);
});

const chunkedHead = "PUT /led HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

test("of requests in chunks, Node accepts what is accepted here, and ends them where they end here", async () => {
  let compared = 0;
  const behind = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        chunkedStreams,
        encodedBodies.map(({ content }) => content),
      ),
      async (stream) => {
        compared += await compare(chunkedHead + stream + behind);
      },
    ),
    { numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(1_500);
});
