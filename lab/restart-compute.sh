#!/usr/bin/env bash
# Restarts nova-compute of one lab host, as `systemctl restart nova-compute` would: it reads nova.conf of the host's tree.
# LAB_REBOOTED=1: as after a reboot of the host, with its guests off and its mdevs gone.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
for step in process nova computes; do . "$LAB_HOME/steps/$step.sh"; done
host="${1:-}"
[ -n "$host" ] && [ -d "$LAB_STATE/hosts/$host" ] || fail "usage: restart-compute.sh HOST, one of: $LAB_HOSTS."
finish "compute-$host"
start_compute "$host"
