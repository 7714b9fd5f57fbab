/** The board `virt` with the kernel's own TLS, and the ciphers that it uses. */
import type { Board } from "./board.ts";
import { type VirtPins, virt } from "./virt.ts";

/** What a system loads by itself when a program asks for TLS. */
export const kernelTls = ["tls", "gcm", "ctr", "ghash-generic", "aes-arm-bs", "chacha20poly1305", "chacha-neon"];

/** The board. */
export const virtKernelTls: Board<VirtPins> = {
  ...virt,
  name: "virt-kernel-tls",
  modules: [...virt.modules, ...kernelTls, "poly1305-arm"],
};
