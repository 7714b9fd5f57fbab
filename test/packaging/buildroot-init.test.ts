/** The start script of the Buildroot package, on a device whose start-stop-daemon only says what it was told. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { patience } from "../harness/patience.ts";
import { RelocatedRoot } from "./harness/relocated-root.ts";

/**
 * Stubs. A call is written at once, as two processes write. `running` is the daemon's process, which outlives its end
 * by two looks at it, and with `dying` it ends after the first look. The script changes the owner of a folder, starts
 * the daemon beside itself and sleeps: that sleep is as long as the start takes.
 */
const stubs = `
call() { line=$1; shift; for word in "$@"; do line="$line\t$word"; done; echo "$line" >> "$ROOT/calls"; }
chgrp() { call chgrp "$@"; }
starting=
chown() { call chown "$@"; starting=1; }
sleep() {
	call sleep "$@"
	command sleep 0.01
	[ -z "$starting" ] || until [ -e "$ROOT/begun" ]; do command sleep 0.01; done
}
logger() { call logger "$@"; cat > "$ROOT/logged"; }
lingering=0
start_stop_daemon() {
	call start-stop-daemon "$@"
	case " $* " in
		*" --test "*)
			[ ! -e "$ROOT/running" ] || [ ! -e "$ROOT/dying" ] || { lingering=1; rm "$ROOT/dying" "$ROOT/running"; }
			[ -e "$ROOT/running" ] || { [ "$lingering" -gt 0 ] && lingering=$((lingering - 1)); } ;;
		*" --signal KILL "*) rm "$ROOT/running" ;;
		*" --stop "*) [ -e "$ROOT/running" ] && { [ -e "$ROOT/stuck" ] || { rm "$ROOT/running"; lingering=2; }; } ;;
		*) echo 'pump: Error: gone' >&2; [ ! -e "$ROOT/broken" ] && : > "$ROOT/running"
			: > "$ROOT/begun" ;;
	esac
}
`;

let root: RelocatedRoot;
beforeEach(() => {
  root = new RelocatedRoot();
  root.install("packaging/buildroot/package/nound/S25nound", "etc/init.d/S25nound");
  // dash takes no function of this name; the script itself stays as it is.
  root.write(
    "etc/init.d/S25nound",
    root.read("etc/init.d/S25nound").replaceAll("start-stop-daemon", "start_stop_daemon"),
  );
  root.write("usr/bin/nound", `#!/bin/sh\necho "$@" > ${root.path}/checked\n`, 0o755);
  root.write("var/run/nound.pid", "1\n");
});
afterEach(() => root.remove());

function run(command: string) {
  return root.run(`${stubs}\nset -- ${command}\n. "$ROOT/etc/init.d/S25nound"`);
}

function daemonCalls(): readonly string[] {
  return root.callsOf("start-stop-daemon").map((words) => words.join(" "));
}

function startCalls(): readonly string[] {
  return daemonCalls().filter((call) => call.startsWith("--start"));
}

test("start checks the configuration and starts the daemon as its user, in the background", () => {
  expect(run("start")).toMatchObject({ status: 0, stdout: "Starting nound: OK\n", stderr: "" });
  expect(root.read("checked")).toBe(`--check --simulate --config ${root.path}/etc/nound/nound.json\n`);
  expect(() => root.read("var/run/nound.pid")).toThrow();
  expect(startCalls()).toEqual([
    "--start --make-pidfile --pidfile /var/run/nound.pid --chuid nound:nound --exec /usr/bin/nound " +
      "-- --config /etc/nound/nound.json",
  ]);
  expect(root.callsOf("chown")).toEqual([["nound:nound", "/var/lib/nound"]]);
});

test("what the daemon says goes to the system log", async () => {
  run("start");
  await vi.waitFor(() => expect(root.read("logged")).toBe("pump: Error: gone\n"), patience);
  expect(root.callsOf("logger")).toEqual([["-t", "nound", "-p", "daemon.err"]]);
});

test("start of a wrong configuration fails with nound's own sentence, and starts nothing", () => {
  root.write("usr/bin/nound", "#!/bin/sh\necho 'nound: wrong' >&2\nexit 78\n", 0o755);
  expect(run("start")).toMatchObject({ status: 1, stdout: "Starting nound: FAIL\n", stderr: "nound: wrong\n" });
  expect(startCalls()).toEqual([]);
});

test("start fails when the daemon cannot be started, and says where to look", () => {
  root.write("broken", "");
  expect(run("start")).toMatchObject({
    status: 1,
    stdout: "Starting nound: FAIL\n",
    stderr: "nound: it did not start; the system log says why\n",
  });
});

test("start fails when the daemon ends in its first moments", () => {
  root.write("dying", "");
  expect(run("start")).toMatchObject({
    status: 1,
    stdout: "Starting nound: FAIL\n",
    stderr: "nound: it ended at once; the system log says why\n",
  });
});

test("start leaves a daemon that runs as it is", () => {
  root.write("running", "");
  expect(run("start")).toMatchObject({ status: 0, stdout: "Starting nound: OK, it already runs\n" });
  expect(startCalls()).toEqual([]);
});

test("start takes other options from /etc/default/nound", () => {
  root.write("etc/default/nound", "NOUND_ARGS='--listen [::1]:80 --debug'\nCONFIGURATION=/other.json\n");
  expect(run("start").status).toBe(0);
  expect(startCalls()[0]).toMatch(/ -- --config \/other\.json --listen \[::1\]:80 --debug$/);
});

test("start gives LEDs to the user, and the PWM channels that /etc/default/nound names", () => {
  root.write("etc/default/nound", "NOUND_PWM='pwmchip0/1 pwmchip0/2'\n");
  for (const path of ["leds/red/brightness", "leds/red/trigger", "pwm/pwmchip0/export", "pwm/pwmchip0/pwm1/enable"])
    root.write(`sys/class/${path}`, "");
  expect(run("start").status).toBe(0);
  expect(root.callsOf("chgrp").filter(([, path]) => path?.startsWith("/sys/"))).toEqual([
    ["nound", "/sys/class/leds/red/brightness"],
    ["nound", "/sys/class/leds/red/trigger"],
    ["nound", "/sys/class/pwm/pwmchip0/pwm1/enable"],
  ]);
  expect(root.read("sys/class/pwm/pwmchip0/export")).toBe("2\n");
});

test("start gives the lines of the older GPIO interface that /etc/default/nound names", () => {
  root.write("etc/default/nound", "NOUND_GPIO='504 505'\n");
  for (const path of ["export", "unexport", "gpio504/value", "gpio504/direction"])
    root.write(`sys/class/gpio/${path}`, "");
  expect(run("start").status).toBe(0);
  expect(root.callsOf("chgrp").map(([, path]) => path)).toEqual(
    expect.arrayContaining([
      "/sys/class/gpio/export",
      "/sys/class/gpio/gpio504/direction",
      "/sys/class/gpio/gpio504/value",
    ]),
  );
  expect(root.read("sys/class/gpio/export")).toBe("505\n");
});

test("stop kills a daemon that does not end in time, and says so", () => {
  root.write("running", "");
  root.write("stuck", "");
  root.write("etc/default/nound", "NOUND_STOP_SECONDS=1\n");
  expect(run("stop")).toMatchObject({
    status: 0,
    stdout: "Stopping nound: OK\n",
    stderr: "nound: killed, because it did not end within 1 s\n",
  });
  expect(root.callsOf("sleep")).toHaveLength(10);
});

test("stop waits until the daemon has ended", () => {
  root.write("running", "");
  expect(run("stop")).toMatchObject({ status: 0, stdout: "Stopping nound: OK\n", stderr: "" });
  expect(root.callsOf("sleep")).toHaveLength(2);
  expect(() => root.read("var/run/nound.pid")).toThrow();
});

test("stop fails when the daemon does not run", () => {
  expect(run("stop")).toMatchObject({
    status: 1,
    stdout: "Stopping nound: FAIL\n",
    stderr: "nound: it does not run\n",
  });
});

test("restart stops and starts the daemon", () => {
  root.write("running", "");
  expect(run("restart")).toMatchObject({ status: 0, stdout: "Stopping nound: OK\nStarting nound: OK\n" });
  expect(daemonCalls().find((call) => !call.includes("--test"))).toContain("--stop");
  expect(startCalls()).toHaveLength(1);
});

test("reload checks the whole configuration, and waits for the daemon", () => {
  root.write("running", "");
  root.write("usr/bin/nound", `#!/bin/sh\necho "$@" >> ${root.path}/checked\n`, 0o755);
  expect(run("reload")).toMatchObject({ status: 0, stdout: "Reloading nound: OK\n" });
  expect(root.read("checked")).toBe(`--check --config ${root.path}/etc/nound/nound.json\n--reload 1\n`);
});

test("reload fails where the daemon keeps serving as before, or does not run", () => {
  root.write("usr/bin/nound", "#!/bin/sh\n[ $1 = --check ] || { echo 'nound: wrong' >&2; exit 69; }\n", 0o755);
  expect(run("reload")).toMatchObject({ status: 1, stderr: "nound: it does not run\n" });
  root.write("running", "");
  expect(run("reload")).toMatchObject({ status: 1, stdout: "Reloading nound: FAIL\n", stderr: "nound: wrong\n" });
});

test.each([
  ["restart", "Restarting"],
  ["reload", "Reloading"],
])("%s of a wrong configuration leaves the daemon as it is", (command, doing) => {
  root.write("running", "");
  root.write("usr/bin/nound", "#!/bin/sh\necho 'nound: wrong' >&2\nexit 78\n", 0o755);
  expect(run(command)).toMatchObject({
    status: 1,
    stdout: `${doing} nound: FAIL\n`,
    stderr: "nound: wrong\nnound: the running daemon is left as it is\n",
  });
  expect(daemonCalls()).toEqual([]);
});

test("restart starts a daemon that did not run", () => {
  expect(run("restart").status).toBe(0);
  expect(startCalls()).toHaveLength(1);
});

test.each(["", "status"])("what it does not know (%j) is answered with its usage", (command) => {
  const { status, stdout } = run(command);
  expect({ status, usage: stdout.includes("{start|stop|restart|reload}") }).toEqual({ status: 1, usage: true });
});
