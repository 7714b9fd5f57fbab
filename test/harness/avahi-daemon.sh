#!/bin/sh
# avahi-daemon.sh: read by the scripts that run Avahi on a device of their own. It sets `bus` and `avahi`, which they
# end.

# until_it COMMAND...: waits for what no event announces.
until_it() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 200 ] || return 1
		sleep 0.1
	done
}

# The daemon's process id is known before the daemon can be asked; until then, the program complains.
is_answering() {
	avahi-browse --terminate _nothing._tcp > /dev/null 2>&1
}

# begin_bus: the device's folders, and its bus, in namespaces of its own for the network and the mounts.
begin_bus() {
	mount --make-rprivate /
	mount -t tmpfs tmpfs /run
	mkdir -p /run/dbus /run/avahi-daemon /run/services
	mount --bind /run/services /etc/avahi/services
	ip link set lo up
	dbus-daemon --system --nofork --nopidfile 2> /dev/null &
	bus=$!
	# The flag of proc(5), /proc/net/unix, is "listening": the socket's file is there a moment before.
	until_it grep -q ' 00010000 .* /run/dbus/system_bus_socket$' /proc/net/unix
}

begin_avahi() {
	avahi-daemon --no-drop-root --no-chroot --no-rlimits 2> /dev/null &
	avahi=$!
	until_it is_answering
}
