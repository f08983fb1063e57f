# Names, ports and folders of the lab; every script begins with it. Everything written at run time lies in $LAB_STATE.
LAB_HOME="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
PROJECT_ROOT="$(dirname "$LAB_HOME")"
LAB_RELEASE="${LAB_RELEASE:-zed}"          # zed: this system's own packages; 2025.1: Debian 13's, in a folder
case "$LAB_RELEASE" in
  zed) lab_suffix='' lab_base=20000 LAB_ROOT='' ;;
  2025.1) lab_suffix=-2025.1 lab_base=10000 LAB_ROOT="${LAB_ROOT:-$PROJECT_ROOT/.lab-debian13}" ;;
  *) echo "lab: LAB_RELEASE is $LAB_RELEASE; it must be zed or 2025.1." >&2; exit 2 ;;
esac
LAB_STATE="${LAB_STATE:-$PROJECT_ROOT/.lab$lab_suffix}"
LAB_SHARE="${LAB_SHARE:-$PROJECT_ROOT/.lab-share$lab_suffix}" # paste files out of packages that are not installed
LAB_ADDRESS=127.0.0.1                      # loopback only
LAB_BASE_PORT="${LAB_BASE_PORT:-$lab_base}"   # all ports lie below those that the kernel hands out
LAB_HOSTS="${LAB_HOSTS:-gpu01 gpu02}"
LAB_WORKERS="${LAB_WORKERS:-1}"            # uWSGI processes per API: each loads its service for seconds
LAB_PASSWORD="${LAB_PASSWORD:-labpass}"    # of every account; the lab answers on the loopback alone
LAB_REGION=RegionOne
PYTHON=/usr/bin/python3                    # Debian's modules belong to Debian's Python

KEYSTONE_PORT=$((LAB_BASE_PORT + 5000))
PLACEMENT_PORT=$((LAB_BASE_PORT + 8778))
NOVA_PORT=$((LAB_BASE_PORT + 8774))
GLANCE_PORT=$((LAB_BASE_PORT + 9292))
NETWORK_PORT=$((LAB_BASE_PORT + 9696))
RABBIT_PORT=$((LAB_BASE_PORT + 5672))
RABBIT_DIST_PORT=$((LAB_BASE_PORT + 5673))
EPMD_PORT=$((LAB_BASE_PORT + 4369))
MARIADB_PORT=$((LAB_BASE_PORT + 3306))
KEYSTONE_URL="http://$LAB_ADDRESS:$KEYSTONE_PORT/v3"

# Before every command that is OpenStack's or its services': there they find their own system.
INSIDE=()
[ -z "$LAB_ROOT" ] || INSIDE=(chroot "$LAB_ROOT")

export LAB_RELEASE LAB_ROOT LAB_HOME LAB_STATE LAB_ADDRESS LAB_HOSTS LAB_PASSWORD LAB_REGION KEYSTONE_URL
export KEYSTONE_PORT PLACEMENT_PORT NOVA_PORT GLANCE_PORT NETWORK_PORT

fail() { # fail SENTENCE [CODE]
  echo "lab: $1" >&2
  exit "${2:-1}"
}

db_url() { # db_url NAME
  echo "mysql+pymysql://lab:$LAB_PASSWORD@$LAB_ADDRESS:$MARIADB_PORT/$1?charset=utf8"
}
