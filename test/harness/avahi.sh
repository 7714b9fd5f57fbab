#!/bin/sh
# avahi.sh ANNOUNCE SERVED LOOPBACK: runs Avahi in namespaces of its own (`unshare -n -m`), where it announces nothing
# but the server of the configuration SERVED, then nothing, then nothing for the configuration LOOPBACK, which only this
# device reaches. What is found each time is printed between lines that say which it is. NOUND is the program.
set -eu

mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon /run/services
mount --bind /run/services /etc/avahi/services
ip link set lo up
dbus-daemon --system --nofork --nopidfile 2> /dev/null &
bus=$!
avahi=
trap 'kill $bus $avahi' EXIT

# until_it COMMAND...: waits for what no event announces.
until_it() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 200 ] || return 1
		sleep 0.1
	done
}

browse() {
	avahi-browse --resolve --parsable --no-db-lookup --terminate "$1" | grep '^=' || :
}

# The daemon's process id is known before the daemon can be asked; until then, the program complains.
is_answering() {
	avahi-browse --terminate _nothing._tcp > /dev/null 2>&1
}

is_found() {
	browse "$1" | grep -q .
}

is_gone() {
	! is_found "$1"
}

# The flag of proc(5), /proc/net/unix, is "listening": the socket's file is there a moment before.
until_it grep -q ' 00010000 .* /run/dbus/system_bus_socket$' /proc/net/unix
avahi-daemon --no-drop-root --no-chroot --no-rlimits 2> /dev/null &
avahi=$!
until_it is_answering

sh "$1" "$2"
until_it is_found _wot._tcp
until_it is_found _http._tcp
echo "served:"
browse _wot._tcp
browse _http._tcp
sh "$1"
until_it is_gone _wot._tcp
until_it is_gone _http._tcp
echo "ended:"
browse _wot._tcp
sh "$1" "$3"
sleep 1 # for what must not come
echo "loopback:"
browse _wot._tcp
browse _http._tcp
