/** A noun that shares a bus with others has more time than `nounTimeout`. */
import { beforeEach, expect, test } from "vitest";
import { type Noun, Server, sleep } from "../../../ts/nound.ts";
import { advance, request, reset } from "../../../ts/testing.ts";

beforeEach(reset);

/** A noun that takes 8 s. */
function slowNoun(extraTime?: number): Noun {
  const getState = () => sleep(8_000).then(() => ({ celsius: 20 }));
  return {
    getState,
    setState: getState,
    updateState: getState,
    deleteState: getState,
    ...(extraTime !== undefined && { extraTime }),
  };
}

test("a noun with extra time answers after nounTimeout, and another one of the same pace does not", async () => {
  const server = new Server({ limits: { nounTimeout: 5_000 } });
  server.register("patient", slowNoun(30_000));
  server.register("late", slowNoun());
  const answers = ["/patient", "/late"].map((path) => request(server, { path }));
  await advance(8_000);
  const [patient, late] = await Promise.all(answers);
  expect(patient).toMatchObject({ status: 200, body: { celsius: 20 } });
  expect(late).toMatchObject({ status: 503 });
});

test("the extra time ends", async () => {
  const server = new Server({ limits: { nounTimeout: 1_000 } });
  server.register("slow", slowNoun(2_000));
  const answer = request(server, { path: "/slow" });
  await advance(3_000);
  expect(await answer).toMatchObject({ status: 503 });
});
