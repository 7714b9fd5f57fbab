#!/bin/sh
# SPDX-License-Identifier: MIT
#
# announce.sh CONFIGURATION: has Avahi announce the server of this configuration, or nothing where only this device
# reaches it. announce.sh alone: has Avahi announce it no longer. Avahi sees by itself that its folder has changed.

SERVICES=${AVAHI_SERVICES:-/etc/avahi/services}
NOUND=${NOUND:-/usr/bin/nound}

[ -d "$SERVICES" ] || exit 0 # there is no Avahi
new="$SERVICES/.nound.new"
if [ -n "$1" ] && "$NOUND" --avahi --config "$1" > "$new" && [ -s "$new" ]; then
	chmod 644 "$new" && mv "$new" "$SERVICES/nound.service"
else
	rm -f "$new" "$SERVICES/nound.service"
fi
