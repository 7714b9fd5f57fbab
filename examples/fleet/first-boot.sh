#!/bin/sh
# Makes one of many from the image: run it at each boot, before nound; after the first one it does nothing. It takes the
# files of this device, which new-devices.sh has made, from the boot partition, and removes them there. No secret is in
# the image. Whenever the power is cut, each file is in one of the two places, and the next boot goes on.
set -eu
source=${1:-/boot/firmware/nound}
folder=${2:-/etc/nound}
group=${3:-nound}

# The configuration is removed last: while it is there, the other files are, or have been copied.
if [ ! -e "$source/nound.json" ]; then
    [ ! -s "$folder/nound.json" ] || exit 0
    echo "first-boot.sh: $source/nound.json is missing: copy the folder of this device to $source" >&2
    exit 1
fi
for file in "$source"/*; do
    install -m 640 -g "$group" "$file" "$folder/"
done
# A file that is removed before its copy has reached the disk is lost with the power.
sync
for file in "$source"/*; do
    [ "$file" = "$source/nound.json" ] || rm "$file"
done
sync
rm -r "$source"
sync
