#!/usr/bin/env bash
# Installs, starts, tests and stops a lab, and ends with its counts as `npm test` does (scripts/testing/close-run.ts).
# Where the packages can't be had it says so in one line and counts the lab as skipped. Without LAB_STATE the lab lies in
# a temporary folder that is gone afterwards.
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

lab/install.sh --client
case $? in
  0) ;;
  3)
    echo 'lab: SKIPPED, because its packages can not be had here (the line above says why).'
    close 0 0 1
    exit
    ;;
  *)
    close 0 1 0
    exit
    ;;
esac
if ! lab/start.sh; then
  for log in "$LAB_STATE"/log/*; do
    printf '\n== %s\n' "$log"
    tail -n 20 "$log"
  done
  close 0 1 0
  exit
fi
npm run --silent test:lab -- --reporter=default --reporter=json --outputFile.json="$report"
node --import tsx lab/count-report.ts "$report" $?
