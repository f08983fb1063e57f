#!/usr/bin/env bash
# Reads files of nova.conf with the lab's own Nova and prints what it makes of [pci], as JSON; fails where Nova refuses it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/read_pci_options.py" "$@" 2>/dev/null
