#!/usr/bin/env bash
# need.sh PROGRAM…: finds each program or installs it with the system's package manager; else says what to install.
set -euo pipefail

has() {
  case $1 in
    chromium) [ -n "${GHOSTLIGHT_CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ;;
    node) command -v node >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] ;;
    python3-venv) python3 -c "import ensurepip, venv" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

package() {
  case $1 in
    Xvfb) echo xvfb ;;
    node) echo nodejs ;;
    *) echo "$1" ;;
  esac
}

wanted() {
  case $1 in
    cargo) echo "Rust 1.88 or newer with cargo, rustfmt and clippy" ;;
    node) echo "Node 20 or newer" ;;
    *) echo "$1 (Debian package $(package "$1"))" ;;
  esac
}

missing=()
for program in "$@"; do has "$program" || missing+=("$program"); done
[ ${#missing[@]} -gt 0 ] || exit 0

packages=()
for program in "${missing[@]}"; do packages+=("$(package "$program")"); done
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
if command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
  echo "installing ${packages[*]}"
  "${as_root[@]}" apt-get update -qq || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${packages[@]}" >/dev/null
fi
for program in "${missing[@]}"; do
  has "$program" || { echo "missing: $(wanted "$program"). Install it and run this again." >&2; exit 1; }
done
