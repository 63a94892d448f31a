#!/usr/bin/env bash
# The launcher ./scree, with a package manager, a build and a program that only pretend.
set -euo pipefail

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
cp "$SCREE_SOURCE_DIR/scree" "$SCREE_SOURCE_DIR/packages.txt" "$tree"
touch -d '1 hour ago' "$tree/CMakePresets.json"
mkdir "$tree/fake"
calls="$tree/calls"

fake() { # fake NAME: a program that notes its call, then does what standard input says
  { printf '#!/usr/bin/env bash\nset -e\necho "%s $*" >>"%s"\n' "$1" "$calls" && cat; } >"$tree/fake/$1"
  chmod 755 "$tree/fake/$1"
}
fake sudo <<<'while [[ $1 == -* ]]; do shift; done; exec "$@"'
fake dpkg-query <<<'exit 0' # nothing is installed
fake cmake <<END
mkdir -p "$tree/build/release/bin"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" >"$tree/build/release/CMakeCache.txt"
touch "$tree/build/release/build.ninja"
END
fake ninja <<END
echo "[1/1] Linking"
printf '#!/usr/bin/env bash\necho "\$PWD: \$*"; exit 42\n' >"$tree/build/release/bin/scree"
chmod +x "$tree/build/release/bin/scree"
END
# The package lists are empty until they are read.
fake apt-get <<END
case \$1 in update) touch "$tree/lists" ;; *) test -f "$tree/lists" ;; esac
END
export PATH="$tree/fake:$PATH"

fail() {
  echo "$*" >&2
  cat "$calls" "$tree"/std* >&2
  exit 1
}

# The first call installs (reading the package lists once that proves necessary), configures, builds
# and becomes the program, in the caller's folder, with its arguments, its output alone and its exit
# code.
mkdir "$tree/elsewhere" && cd "$tree/elsewhere"
status=0
"$tree/scree" run 'a b.toml' --json >"$tree/stdout" 2>"$tree/stderr" || status=$?
((status == 42)) || fail "exit code $status, not the program's"
[[ $(<"$tree/stdout") == "$tree/elsewhere: run a b.toml --json" ]] || fail "standard output is not the program's alone"
(($(grep -c '^apt-get install .*libhdf5-dev' "$calls") == 2)) || fail "the packages were not asked for twice"
(($(grep -c '^apt-get update' "$calls") == 1)) || fail "the package lists were not read once"
! grep -q 'clang' "$calls" || fail "a run does not need clang"

# The second neither asks for packages nor configures, and says nothing.
: >"$calls"
fake ninja <<<'echo "ninja: no work to do."'
"$tree/scree" run x >"$tree/stdout" 2>"$tree/stderr" || true
! grep -qE '^(apt-get|dpkg-query|cmake)' "$calls" || fail "the second call does too much"
[[ ! -s $tree/stderr ]] || fail "the second call is not silent"

# A build that fails shows why, and is not followed by a run of the old program.
fake ninja <<<'echo "FAILED: x.o"; echo "x.cpp:1: error: expected"; exit 1'
status=0
"$tree/scree" run x >"$tree/stdout" 2>"$tree/stderr" || status=$?
((status == 1)) || fail "a failed build ends with $status"
[[ ! -s $tree/stdout ]] && grep -q 'x.cpp:1: error' "$tree/stderr" || fail "a failed build does not say why"

# Without root it names the command to type, and has touched nothing.
rm -rf "$tree/build"
fake sudo <<<'exit 1'
chmod 777 "$tree" && touch "$calls" && chmod 666 "$calls"
as_user=()
if ((EUID == 0)); then as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
status=0
"${as_user[@]}" "$tree/scree" run x </dev/null >"$tree/stdout" 2>"$tree/stderr" || status=$?
((status == 1)) || fail "without root it ends with $status"
grep -q '^ *sudo apt-get install -y .*libhdf5-dev' "$tree/stderr" || fail "without root it names no command"
[[ ! -s $tree/stdout && ! -e $tree/build ]] || fail "without root it leaves something half done"
