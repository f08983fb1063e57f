#!/usr/bin/env bash
# cloud.sh start HOSTS|stop: beside the running lab a Placement and a Nova API on databases of their own, with HOSTS hosts
# of four pGPUs each. In Keystone they are the region Bench until they stop; all else that the lab holds stays as it is.
# Writes clouds.yaml below $LAB_STATE/bench.
set -euo pipefail
LAB_WORKERS="${LAB_WORKERS:-2}"
. "$(dirname "${BASH_SOURCE[0]}")/../env.sh"
for step in process config; do . "$LAB_HOME/steps/$step.sh"; done
BENCH="$LAB_STATE/bench"
BENCH_PLACEMENT_PORT=$((LAB_BASE_PORT + 8788))
BENCH_NOVA_PORT=$((LAB_BASE_PORT + 8784))
sql() { "${INSIDE[@]}" mariadb --no-defaults -S "$LAB_STATE/run/mariadb.sock" -u root "$@"; }

copy_database() { # copy_database NAME
  sql -e "DROP DATABASE IF EXISTS bench_$1; CREATE DATABASE bench_$1"
  "${INSIDE[@]}" mariadb-dump --no-defaults -S "$LAB_STATE/run/mariadb.sock" -u root --single-transaction "$1" | sql "bench_$1"
}

write_clouds_yaml() {
  cat > "$BENCH/clouds.yaml" <<YAML
clouds:
  bench:
    auth_type: password
    auth:
      auth_url: $KEYSTONE_URL
      username: sliceboard
      password: $LAB_PASSWORD
      user_domain_name: Default
      project_name: service
      project_domain_name: Default
    region_name: Bench
    interface: public
    identity_api_version: 3
    placement_api_version: "1.39"
YAML
}

region() { PYTHONPATH="$LAB_HOME/services" "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/bench/region.py" "$@"; }

stop() {
  region remove
  finish nova-bench
  finish placement-bench
}

start() { # start HOSTS
  local name
  mkdir -p "$BENCH"/{placement,nova}
  stop
  for name in placement nova_api nova_cell0 nova_cell1; do copy_database "$name"; done
  { echo "SET @hosts = $1;"; cat "$LAB_HOME/bench/contents.sql"; } | sql
  # Nothing reports for these hosts, so what they said last stays good.
  sed -E "s#/(nova_[a-z0-9]+)\?#/bench_\1?#; s#^service_down_time = .*#service_down_time = 100000000#" \
    "$LAB_STATE/etc/nova/nova.conf" > "$BENCH/nova/nova.conf"
  cp "$LAB_STATE/etc/nova/api-paste.ini" "$BENCH/nova/"
  sed 's#/placement?#/bench_placement?#' "$LAB_STATE/etc/placement/placement.conf" > "$BENCH/placement/placement.conf"
  write_clouds_yaml
  OS_PLACEMENT_CONFIG_DIR="$BENCH/placement" serve_wsgi placement "$BENCH_PLACEMENT_PORT" placement-bench
  OS_NOVA_CONFIG_DIR="$BENCH/nova" serve_wsgi nova "$BENCH_NOVA_PORT" nova-bench
  region add "http://$LAB_ADDRESS:$BENCH_PLACEMENT_PORT" "http://$LAB_ADDRESS:$BENCH_NOVA_PORT/v2.1"
}

case "${1:-}" in
  start) start "${2:?how many hosts}" ;;
  stop) stop ;;
  *) fail 'usage: cloud.sh start HOSTS|stop' 2 ;;
esac
