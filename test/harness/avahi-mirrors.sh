#!/bin/sh
# avahi-mirrors.sh PORCH: two devices on a network of their own, each with Avahi, in namespaces (`unshare -n -m -u`).
# The porch serves the configuration PORCH and announces it. The hall looks for mirrors: before its Avahi runs, while
# nobody announces anything, and then what the porch announces. Between lines that say which it is, standard output and
# error of each are printed. At last the hall serves what it has found, and a state is printed. NOUND is the program.
set -eu

. "${0%/*}/avahi-daemon.sh"

bus=
avahi=
if [ "$1" = --porch ]; then
	trap 'kill $bus $avahi $served' EXIT
	served=
	hostname porch
	begin_bus
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

hostname hall
begin_bus
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
