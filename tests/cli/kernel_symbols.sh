#!/usr/bin/env bash
# Files that are compiled for one instruction set leave no function behind that the linker could put into
# code for lesser machines: what they share by name with other files must be data.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

library=$(dirname "$SCREE_BINARY")/../libscree_core.a
command -v nm >/dev/null && [ -f "$library" ] && [ "$(uname -m)" = x86_64 ] || exit 77
nm -C "$library" 2>/dev/null >symbols.txt
for file in kernels_v3 kernels_v4 kernels_dd_v3 moves_v3 moves_v4; do
  sed -n "/^$file.cpp.o:/,/^\$/p" symbols.txt >one.txt
  grep -q ' T ' one.txt || fail "$file is not in the library, or empty"
  ! grep ' W ' one.txt || fail "$file defines these functions weakly: they may be linked into code for any machine"
done
