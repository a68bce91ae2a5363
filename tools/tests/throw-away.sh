# Sourced by scripts that run a temporary server from a Debian package for a command. The scripts delete $dir when they end.

# need <program> <package>
need() {
  [ ! -x "$1" ] || return 0
  [ "$(id -u)" = 0 ] || { echo "$1 is missing: apt-get install $2" >&2; exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$2" >/dev/null
}

# These servers refuse to run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }

make_directory() {
  dir=$(mktemp -d)
  if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
}

free_port() { node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); })"; }
