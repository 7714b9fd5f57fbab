/** The part of Node's module that the twin of `nound:hash` uses. */
declare module "node:crypto" {
  interface Hashing {
    update(bytes: string, encoding: "latin1" | "utf8"): Hashing;
    digest(encoding: "hex"): string;
  }
  export function createHash(algorithm: "sha256"): Hashing;
}
