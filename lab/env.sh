# Names, ports and folders of the lab; every script begins with it. Everything written at run time lies in $LAB_STATE.
LAB_HOME="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
PROJECT_ROOT="$(dirname "$LAB_HOME")"
LAB_STATE="${LAB_STATE:-$PROJECT_ROOT/.lab}"
LAB_SHARE="${LAB_SHARE:-$LAB_STATE-share}" # paste files out of packages that are not installed
LAB_ADDRESS=127.0.0.1                      # loopback only
LAB_BASE_PORT="${LAB_BASE_PORT:-20000}"   # all ports lie below those that the kernel hands out
LAB_HOSTS="${LAB_HOSTS:-gpu01 gpu02}"
LAB_WORKERS="${LAB_WORKERS:-2}"            # uWSGI processes per API
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

export LAB_HOME LAB_STATE LAB_ADDRESS LAB_HOSTS LAB_PASSWORD LAB_REGION KEYSTONE_URL
export KEYSTONE_PORT PLACEMENT_PORT NOVA_PORT GLANCE_PORT NETWORK_PORT

fail() { # fail SENTENCE [CODE]
  echo "lab: $1" >&2
  exit "${2:-1}"
}

db_url() { # db_url NAME
  echo "mysql+pymysql://lab:$LAB_PASSWORD@$LAB_ADDRESS:$MARIADB_PORT/$1?charset=utf8"
}
