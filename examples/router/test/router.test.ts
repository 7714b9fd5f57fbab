import { Server } from "nound";
import { putFile, removeFile, request, reset } from "nound/testing";
import { beforeEach, expect, test } from "vitest";
import { router } from "../src/router.ts";

let server: Server;

beforeEach(() => {
  reset();
  server = new Server();
  server.register("router", router("wlan0"));
});

const wireless = `Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
 face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
 wlan1: 0000   30.  -80.  -256        0      0      0      0      0        0
 wlan0: 0000   54.  -56.  -256        0      0      0      0    112        0
`;

test("GET reads the files of the kernel", async () => {
  putFile("/proc/uptime", "4211.08 16210.70\n");
  putFile("/proc/loadavg", "0.15 0.10 0.05 1/80 1024\n");
  putFile("/proc/net/wireless", wireless);
  for (const name of ["lo", "eth0", "wlan0"]) putFile(`/sys/class/net/${name}/mtu`, "1500\n");
  expect((await request(server, { path: "/router" })).body).toEqual({
    uptime: 4211.08,
    load: 0.15,
    signal: -56,
    interfaces: 2,
  });
});

test("a value without a file is null, and comes back by itself", async () => {
  expect((await request(server, { path: "/router" })).body).toEqual({
    uptime: null,
    load: null,
    signal: null,
    interfaces: 0,
  });
  putFile("/proc/net/wireless", wireless);
  expect((await request(server, { path: "/router" })).body).toMatchObject({ signal: -56 });
  removeFile("/proc/net/wireless");
  expect((await request(server, { path: "/router" })).body).toMatchObject({ signal: null });
});
