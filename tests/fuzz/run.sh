#!/usr/bin/env bash
# run.sh scene|recording SECONDS: fuzzes for that long in build/sanitize, starting from the shipped scenes or from
# a recording that the fuzzer makes itself. Inputs that failed are kept in build/fuzz/NAME/failed/ and are tried
# first the next time.
set -euo pipefail
name=$1 seconds=$2
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$root/build/fuzz/$name
fuzzer=$root/build/sanitize/tests/fuzz/fuzz_$name
rm -rf "$work/tmp"
mkdir -p "$work/seeds" "$work/corpus" "$work/failed" "$work/tmp"

shopt -s nullglob
case $name in
    scene)
        # Large scenes would be cut off, and scenes of different folders may share a name.
        cp "$root"/tests/fuzz/seeds/*.json "$root"/scenes/examples/*.json "$work/seeds/"
        limits=(-max_len=20000 "-dict=$root/tests/fuzz/scene.dict")
        ;;
    recording)
        IMPULS_FUZZ_SEEDS=$work/seeds "$fuzzer" -runs=0 "$work/seeds"
        limits=(-max_len=300000)
        ;;
esac

failures=("$work"/failed/*)
if ((${#failures[@]})); then "$fuzzer" "${failures[@]}"; fi
# Nothing a user can open may take 10 s or 2 GB.
TMPDIR=$work/tmp "$fuzzer" "-max_total_time=$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -print_final_stats=1 "-artifact_prefix=$work/failed/" "${limits[@]}" "$work/corpus" "$work/seeds"
