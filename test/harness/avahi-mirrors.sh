#!/bin/sh
# avahi-mirrors.sh PORCH: two devices on a network of their own, each with Avahi, in namespaces (`unshare -n -m -u`).
# The porch serves the configuration PORCH and announces it. The hall looks for mirrors: before its Avahi runs, while
# nobody announces anything, and then what the porch announces. Between lines that say which it is, standard output and
# error of each are printed. At last the hall serves what it has found, and a state is printed. NOUND is the program.
set -eu

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

# begin_bus NAME: the device's folders, and its bus.
begin_bus() {
	mount --make-rprivate /
	mount -t tmpfs tmpfs /run
	mkdir -p /run/dbus /run/avahi-daemon /run/services
	mount --bind /run/services /etc/avahi/services
	hostname "$1"
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

avahi=
if [ "$1" = --porch ]; then
	trap 'kill $bus $avahi $served' EXIT
	served=
	begin_bus porch
	until_it ip link set porch up 2> /dev/null
	ip address add 192.0.2.1/24 dev porch
	begin_avahi
	read -r _ # the hall asks for it
	"$NOUND" --simulate --config "$2" 2> /dev/null &
	served=$!
	"$NOUND" --avahi --config "$2" > /etc/avahi/services/nound.service
	read -r _ || : # until the hall ends
	exit
fi

find_mirrors() {
	echo "$1:"
	"$NOUND" --find mirrors 2>&1 || :
}

has_porch() {
	avahi-browse --resolve --parsable --no-db-lookup --terminate _wot._tcp | grep -q '^=.*;Porch;'
}

begin_bus hall
find_mirrors 'without Avahi'
mkfifo /run/to-porch
unshare -n -m -u sh "$0" --porch "$1" < /run/to-porch &
porch=$!
exec 3> /run/to-porch
trap 'exec 3>&-; kill $bus $avahi $served; wait $porch' EXIT
served=
# unshare(1) becomes the shell, so it is the process with the namespaces, once it has them.
has_own_network() {
	[ "$(readlink "/proc/$porch/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}
until_it has_own_network
ip link add hall type veth peer name porch netns "$porch"
ip link set hall up
ip address add 192.0.2.2/24 dev hall
begin_avahi
find_mirrors 'nobody'
echo >&3
until_it has_porch
find_mirrors 'porch'
"$NOUND" --find mirrors 2> /dev/null > /run/found
{
	echo '{ "listen": "127.0.0.1:8080", "nouns": {'
	sed 's/^{//; s/}$/,/; $s/,$//' /run/found
	echo '} }'
} > /run/hall.json
"$NOUND" --config /run/hall.json 2> /dev/null &
served=$!
has_state() {
	curl --silent --fail http://127.0.0.1:8080/porch-bell
}
echo 'mirrored:'
until_it has_state
