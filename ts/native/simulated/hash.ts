/** The simulated twin of `nound:hash`: SHA-256 (FIPS 180-4, 5 and 6.2) in TypeScript. */
import type { Hash } from "../hash.ts";

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const roundConstants = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

// 5.3.3: the same of the square roots of the first eight primes.
const initialHash = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

/** The message schedule; one is enough, as nothing is hashed at once. */
const schedule = new Int32Array(64);

/** Bytes of a block. */
const blockLength = 64;

// 5.1.1: a one, zeros, and the length in bits as a number of 64.
function pad(bytes: string): string {
  const zeros = (2 * blockLength - 9 - (bytes.length % blockLength)) % blockLength;
  let length = "";
  for (let bits = bytes.length * 8, count = 0; count < 8; bits = Math.floor(bits / 256), count++) {
    length = String.fromCharCode(bits % 256) + length;
  }
  return `${bytes}\u0080${"\0".repeat(zeros)}${length}`;
}

// 6.2.2, 1.
function prepareSchedule(bytes: string, start: number): void {
  for (let t = 0, at = start; t < 16; t++, at += 4) {
    schedule[t] =
      (bytes.charCodeAt(at) << 24) |
      (bytes.charCodeAt(at + 1) << 16) |
      (bytes.charCodeAt(at + 2) << 8) |
      bytes.charCodeAt(at + 3);
  }
  for (let t = 16; t < 64; t++) {
    const w2 = schedule[t - 2] as number;
    const w15 = schedule[t - 15] as number;
    const sigma1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    const sigma0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    schedule[t] = sigma1 + (schedule[t - 7] as number) + sigma0 + (schedule[t - 16] as number);
  }
}

// 6.2.2, 2 to 4. A sum of a few 32-bit numbers is exact in a double; `| 0` takes it modulo 2^32.
function compress(hash: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const t1 = h + sum1 + choice + (roundConstants[t] as number) + (schedule[t] as number);
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + sum0 + majority) | 0;
  }
  const words = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index++) hash[index] = (hash[index] as number) + (words[index] as number);
}

function sha256(bytes: string): string {
  const hash = initialHash.slice();
  const padded = pad(bytes);
  for (let start = 0; start < padded.length; start += blockLength) {
    prepareSchedule(padded, start);
    compress(hash);
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

export const simulatedHash: Hash = { sha256 };
