#!/usr/bin/env bash
# Installs, starts, tests and stops a lab, and ends with its counts as `npm test` does (scripts/testing/close-run.ts).
# Exit 3 of lab/install.sh or lab/start.sh counts the lab as skipped; their line gives the reason.
# Without LAB_STATE the state is in a temporary folder, which is deleted at the end.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work="$(mktemp -d)"
report="$work/report.json"
export LAB_STATE="${LAB_STATE:-$work/lab}"
trap 'lab/stop.sh; rm -rf "$work"' EXIT

close() { # close PASSED FAILED SKIPPED
  printf '{"numPassedTests":%d,"numFailedTests":%d,"numPendingTests":%d}' "$@" > "$report"
  node --import tsx lab/count-report.ts "$report" "$2"
}

lab/install.sh && lab/start.sh
case $? in
  0) ;;
  3)
    echo 'lab: SKIPPED; the line above gives the reason.'
    close 0 0 1
    exit
    ;;
  *)
    for log in "$LAB_STATE"/log/*; do
      [ -e "$log" ] || continue
      printf '\n== %s\n' "$log"
      tail -n 20 "$log"
    done
    close 0 1 0
    exit
    ;;
esac
npm run --silent test:lab -- --reporter=default --reporter=json --outputFile.json="$report"
node --import tsx lab/count-report.ts "$report" $?
