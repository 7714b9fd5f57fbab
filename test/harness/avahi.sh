#!/bin/sh
# avahi.sh ANNOUNCE SERVED LOOPBACK: runs Avahi in namespaces of its own (`unshare -n -m`), where it announces nothing
# but the server of the configuration SERVED, then nothing, then nothing for the configuration LOOPBACK, which only this
# device reaches. What is found each time is printed between lines that say which it is. NOUND is the program.
set -eu

. "${0%/*}/avahi-daemon.sh"

bus=
avahi=
trap 'kill $bus $avahi' EXIT

browse() {
	avahi-browse --resolve --parsable --no-db-lookup --terminate "$1" | grep '^=' || :
}

is_found() {
	browse "$1" | grep -q .
}

is_gone() {
	! is_found "$1"
}

begin_bus
begin_avahi

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
