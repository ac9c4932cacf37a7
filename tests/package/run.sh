#!/usr/bin/env bash
# run.sh find_package|add_subdirectory SOURCE BUILD COMPILER WERROR: builds the outside project one way and runs it.
# The installed package is moved after installing: nothing in it may point back to the build.
set -euo pipefail
way=$1 source=$2 build=$3 compiler=$4 werror=$5
# Beside the build, as deep as it: paths to the sources are then the same, and ccache knows the objects.
work=$build-outside-$way
rm -rf "$work" "$work.prefix" "$work.moved" "$work.empty"

arguments=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$compiler")
if [[ $way == find_package ]]; then
    cmake --install "$build" --prefix "$work.prefix" >/dev/null
    mv "$work.prefix" "$work.moved"
    if [[ -e $build/apps/impuls ]]; then
        "$work.moved/bin/impuls" --version
        grep -q '^.TH IMPULS 1' "$work.moved/share/man/man1/impuls.1"
        python3 -m json.tool "$work.moved/share/impuls/scene.schema.json" >/dev/null
        bash -n "$work.moved/share/bash-completion/completions/impuls"
        "$work.moved/bin/impuls" check "$work.moved/share/impuls/scenes/examples/pendulum.json"
        # Scenes that come with it are found from any folder, by their names and as the documentation writes them.
        mkdir "$work.empty"
        (
            cd "$work.empty"
            "$work.moved/bin/impuls" run pendulum --until 0.1 --quiet
            "$work.moved/bin/impuls" show scenes/examples/pendulum.json --at 0.1 -o pendulum.png --quiet
            "$work.moved/bin/impuls" info pendulum >/dev/null
            "$work.moved/bin/impuls" list scenes --json | python3 -c "
import json, os, sys
names = [scene['name'] for scene in json.load(sys.stdin)['scenes']]
assert len(names) > 50 and all(name.startswith(os.path.realpath('$work.moved')) for name in names), names[:3]"
            if "$work.moved/bin/impuls" run pendulun --quiet; then exit 1; fi
        )
        rm -rf "$work.empty"
        # In the package for Debian everything lies below /usr.
        (cd "$build" && cpack -G DEB -B "$work.deb" >/dev/null)
        dpkg-deb --contents "$work.deb"/impuls_*.deb >"$work.deb/list"
        for file in bin/impuls include/impuls/impuls.h share/man/man1/impuls.1 share/impuls/scene.schema.json \
            share/impuls/scenes/examples/pendulum.json; do
            grep -q " ./usr/$file\(.gz\)\?$" "$work.deb/list"
        done
        rm -rf "$work.deb"
    fi
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
