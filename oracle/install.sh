#!/usr/bin/env bash
# oracle/install.sh SUITE…: unpacks Debian's Nova and openstacksdk of other suites, with the Python and the libraries that they
# need, into .lab-oracle/SUITE. Nothing is installed on this system, and no root is needed. Exit 3: not possible on this host.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(python3-nova python3-openstacksdk python3-keystoneauth1)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fail() { # fail SENTENCE CODE
  echo "oracle: $1" >&2
  exit "$2"
}
[ "$#" -gt 0 ] || fail 'name the suites, for example: npm run oracle:install -- trixie forky sid' 2
command -v apt-get > /dev/null || fail 'apt-get of Debian downloads the packages; it is not installed.' 3
[ -e "$keyring" ] || fail "$keyring is missing; install debian-archive-keyring." 3
mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -n 1)"
[ -n "$mirror" ] || fail 'apt has no mirror of Debian in its sources.' 3

# The downloads of one suite see nothing of this system's packages, so that apt resolves every dependency.
prepare_apt() { # prepare_apt SUITE
  apt="$PWD/.lab-oracle/apt/$1"
  mkdir -p "$apt"/{lists,archives}/partial "$apt/sources"
  : > "$apt/status"
  echo "deb [signed-by=$keyring] $mirror $1 main" > "$apt/sources.list"
  apt_options=(-q -o Dir::State="$apt" -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status"
    -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" -o Dir::Etc::SourceList="$apt/sources.list"
    -o Dir::Etc::SourceParts="$apt/sources" -o APT::Sandbox::User= -o Debug::NoLocking=true
    -o APT::Install-Recommends=false -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::Languages=none)
}

unpack_suite() { # unpack_suite SUITE
  local root=".lab-oracle/$1" log=".lab-oracle/$1.log" version file
  mkdir -p .lab-oracle
  prepare_apt "$1"
  apt-get "${apt_options[@]}" update > "$log" 2>&1 || fail "the list of packages of $1 could not be downloaded; see $log." 3
  version="$(apt-cache "${apt_options[@]}" madison python3-nova | awk -F'|' 'NR == 1 { gsub(/ /, "", $2); print $2 }')"
  if [ -z "$version" ]; then
    rm -rf "$root"
    echo "oracle: $1 has no Nova; skipped"
    return 0
  fi
  rm -rf "$apt/archives" && mkdir -p "$apt/archives/partial"
  apt-get "${apt_options[@]}" install -y --download-only "${packages[@]}" >> "$log" 2>&1 ||
    fail "the packages of $1 could not be downloaded; see $log." 3
  rm -rf "$root"
  mkdir -p "$root"
  for file in "$apt"/archives/*.deb; do dpkg-deb -x "$file" "$root"; done
  rm -rf "$apt/archives"
  echo "oracle: $1 has Nova $version; unpacked into $root"
}

for suite in "$@"; do unpack_suite "$suite"; done
