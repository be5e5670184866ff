#!/bin/sh
# boot.sh ROOT NAME NETNS [--bind-ro=…]: boots one host in the foreground, again after each of its reboots.
# Meant for `unshare --mount`: the host must not meet this machine's own /run/systemd.
root=$1 name=$2 netns=$3
shift 3
mkdir -p /run/systemd
mount -t tmpfs tmpfs /run/systemd || exit 1
while :; do
    systemd-nspawn --quiet --directory="$root" --machine="$name" --hostname="$name" --register=no --keep-unit \
        --network-namespace-path="/run/netns/$netns" --resolv-conf=off --link-journal=no "$@" --boot
    [ $? -eq 133 ] || exit
done
