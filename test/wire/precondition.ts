/** Preconditions (RFC 9110, 13) and ranges (14) of states, which have no entity tags, no dates and no parts. */
import { executed, stillState } from "./nouns.ts";
import { accepted, bare, host, kept, withBody } from "./vector.ts";

const unlessAny = "If-None-Match: *\r\n";

function put(fields: string): string {
  return withBody("PUT", "/canary", JSON.stringify(executed), fields);
}

/** Vectors of the precondition. */
export const preconditions = [
  ...kept(412, [
    ["PUT if the state has an entity tag", put('If-Match: "zqx"\r\n')],
    ["PUT if the state has one of several entity tags", put('If-Match: "zqx", W/"zqx"\r\n')],
    ["PUT if there is no state yet", put(unlessAny)],
    ["POST if there is no state yet", withBody("POST", "/led", "{}", unlessAny)],
    ["DELETE if the state has an entity tag", `DELETE /led HTTP/1.1\r\n${host}If-Match: "zqx"\r\n\r\n`],
    ["GET if the state has an entity tag", `GET /led HTTP/1.1\r\n${host}If-Match: "zqx"\r\n\r\n`],
    ["a precondition before a broken body", withBody("PUT", "/led", "{", unlessAny)],
  ]),
  ...kept(200, [
    ["HEAD if there is no state at all, as for GET", bare("HEAD", unlessAny)],
    ["HEAD of all states, as for GET", `HEAD / HTTP/1.1\r\n${host}${unlessAny}\r\n`],
  ]),
  ...kept(400, [["PUT of a part of a state", put("Content-Range: bytes 0-16/17\r\n")]]),
  ...kept(404, [["an unknown noun before a precondition", withBody("PUT", "/zqx", "{}", unlessAny)]]),
  ...kept(405, [
    ["a method that no noun takes before a precondition", `PATCH /led HTTP/1.1\r\n${host}${unlessAny}\r\n`],
  ]),
  ...accepted(
    (
      [
        ["GET of any state", "If-Match: *\r\n"],
        ["GET of a state that has no such entity tag", 'If-None-Match: "zqx"\r\n'],
        ["GET if there is no state at all, which only PUT and POST can mean", unlessAny],
        ["GET of a state that has changed since a date", "If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n"],
        ["GET of a state that has not changed since a date", "If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n"],
        ["GET of a range of a state", 'Range: bytes=0-1\r\nIf-Range: "zqx"\r\n'],
        ["GET of a range of an unknown unit", "Range: zqx=0-1\r\n"],
      ] as const
    ).map(([name, fields]) => [name, bare("GET", fields), stillState]),
  ),
];
