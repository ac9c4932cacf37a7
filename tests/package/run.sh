#!/usr/bin/env bash
# run.sh find_package|add_subdirectory SOURCE BUILD COMPILER WERROR: builds the outside project one way and runs it.
# The installed package is moved after installing: nothing in it may point back to the build.
set -euo pipefail
way=$1 source=$2 build=$3 compiler=$4 werror=$5
# Beside the build, as deep as it: paths to the sources are then the same, and ccache knows the objects.
work=$build-outside-$way
rm -rf "$work" "$work.prefix" "$work.moved"

arguments=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$compiler")
if [[ $way == find_package ]]; then
    cmake --install "$build" --prefix "$work.prefix" >/dev/null
    mv "$work.prefix" "$work.moved"
    if grep -rqF --include='*.cmake' "$source" "$work.moved"; then
        echo "the installed package mentions the source tree:"
        grep -rnF --include='*.cmake' "$source" "$work.moved"
        exit 1
    fi
    arguments+=("-DCMAKE_PREFIX_PATH=$work.moved")
else
    arguments+=("-DIMPULS_SOURCE=$source" "-DIMPULS_WERROR=$werror" -DIMPULS_UNITE=12)
    command -v ccache >/dev/null && arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
cmake -S "$(dirname "$0")/outside" -B "$work" "${arguments[@]}"
cmake --build "$work"
"$work/outside"
rm -rf "$work" "$work.moved"
