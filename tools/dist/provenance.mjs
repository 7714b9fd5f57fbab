/**
 * provenance.json: where a release comes from, as an in-toto statement with SLSA's predicate
 * (https://slsa.dev/spec/v1.0/provenance). SHA256SUMS has its hash, so the signature of the release is its signature.
 */

import { basename } from "node:path";
import { ownPurl } from "./cyclonedx.mjs";

/** @param files each with its SHA-256. @param commit the whole hash. @param node the release of Node that built it. */
export function provenance({ version, seconds, commit, components, files, node = process.version, address = "" }) {
  const moment = new Date(seconds * 1_000).toISOString();
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map(({ path, hash }) => ({ name: basename(path), digest: { sha256: hash } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:nound:npm-run-dist",
        externalParameters: { command: "npm run dist", version },
        internalParameters: { node },
        resolvedDependencies: [
          { uri: `${ownPurl(version)}?vcs_url=git`, digest: { gitCommit: commit } },
          ...components.map(({ name, purl, hash }) => ({ name, uri: purl, digest: { sha256: hash } })),
        ],
      },
      // Whoever signs the release is its builder. The times are the commit's: the same commit gives the same bytes.
      runDetails: {
        builder: { id: address === "" ? "urn:nound:signer-of-SHA256SUMS" : address },
        metadata: { invocationId: commit, startedOn: moment, finishedOn: moment },
      },
    },
  };
}
