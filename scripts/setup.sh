#!/bin/sh
# Installs what sealcheck needs to build, all but Swift itself. Does nothing when everything is there.
set -eu

need_swift=6.2
libraries='libcrypto libzip libplist-2.0 libdeflate popt'
apt_packages='libssl-dev libzip-dev libplist-dev libdeflate-dev libpopt-dev pkg-config'
brew_packages='openssl@3 libzip libplist libdeflate popt pkgconf'

fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

if ! command -v swift >/dev/null 2>&1; then
    fail "there is no Swift here. Install Swift $need_swift or newer (https://www.swift.org/install), then run this again."
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
[ -n "$version" ] || fail "cannot tell the version of $(command -v swift); Swift $need_swift or newer is needed."
oldest=$(printf '%s\n%s\n' "$need_swift" "$version" | sort -t . -k 1,1n -k 2,2n | head -n 1)
[ "$oldest" = "$need_swift" ] ||
    fail "Swift $version is too old; $need_swift or newer is needed (https://www.swift.org/install)."

missing() {
    command -v pkg-config >/dev/null 2>&1 || { echo pkg-config; return; }
    for library in $libraries; do
        pkg-config --exists "$library" || printf '%s ' "$library"
    done
}

absent=$(missing)
[ -n "$absent" ] || exit 0

if command -v apt-get >/dev/null 2>&1; then
    as_root=''
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "missing: $absent. As root: apt-get install $apt_packages"
        as_root=sudo
    fi
    echo "setup: installing $apt_packages"
    $as_root apt-get update -q
    # shellcheck disable=SC2086 # the list is meant to be split
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $apt_packages
elif command -v brew >/dev/null 2>&1; then
    echo "setup: installing $brew_packages"
    # shellcheck disable=SC2086
    brew install $brew_packages
else
    fail "missing: $absent. This knows apt-get (Debian, Ubuntu) and brew only; install the development files of OpenSSL 3, libzip, libplist, libdeflate and popt with your system's own tool, then run this again."
fi
absent=$(missing)
[ -z "$absent" ] || fail "still missing after installing: $absent"
