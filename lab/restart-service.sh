#!/usr/bin/env bash
# Restarts Keystone, or Nova's API, conductor and scheduler, as `systemctl restart` would: they read their files in $LAB_STATE/etc.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
for step in process keystone nova; do . "$LAB_HOME/steps/$step.sh"; done
case "${1:-}" in
  keystone)
    finish keystone
    serve_keystone
    ;;
  nova)
    finish nova
    finish conductor
    finish scheduler
    serve_nova
    ;;
  *) fail 'usage: restart-service.sh keystone|nova.' ;;
esac
