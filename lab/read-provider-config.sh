#!/usr/bin/env bash
# Reads a folder of provider config with the lab's own Nova and prints what it takes, or why it refuses it, as JSON.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/read_provider_config.py" "$@" 2>/dev/null
