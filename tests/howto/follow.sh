#!/usr/bin/env bash
# follow.sh SOURCE BUILD PAGE...: does what how-to pages say, all in one copy of the tree, then builds the library and
# runs the pages' tests. In a page, a code block stands after one of
#     <!-- new PATH -->                   the block is the whole file
#     <!-- in PATH before: TEXT -->       the block goes before the only line that holds TEXT
#     <!-- in PATH instead of: TEXT -->   the block replaces that line
# In the end exactly these files may differ from the original, and no page touches more than six.
set -euo pipefail
source=$1 build=$2
shift 2
work=$build/howto
tree=$work/tree before=$work/before
# What the pages may touch, and what the build needs.
parts=(CMakeLists.txt CMakePresets.json .clang-format apps cmake docs include scenes src tests tools)
rm -rf "$work"
mkdir -p "$before"
for part in "${parts[@]}"; do cp -r "$source/$part" "$before/"; done
cp -r "$before" "$tree"

changed=() tests=()
cd "$tree"

# edit PATH before|instead TEXT FILE: puts the file's lines before the only line with TEXT, or in its place.
edit() {
    [[ $(grep -cF -- "$3" "$1") == 1 ]] || { echo "$1: not exactly one line with: $3" && exit 1; }
    local line
    line=$(grep -nF -- "$3" "$1" | cut -d: -f1)
    sed -i "$((line - 1))r $4" "$1"
    [[ $2 == before ]] || sed -i "$((line + $(wc -l <"$4")))d" "$1"
}

# Block number N of the page: what to do in N.do, its text in N.text.
follow() {
    local page=$1 blocks=$work/blocks n what path text own=()
    rm -rf "$blocks"
    mkdir "$blocks"
    awk -v to="$blocks/" '
        /^<!-- (new|in) / { n++; sub(/^<!-- /, ""); sub(/ -->$/, ""); print > (to n ".do"); wanted = 1; next }
        /^```/ { if (inside) { inside = 0; close(to n ".text") } else if (wanted) { inside = 1; wanted = 0 } ; next }
        inside { print > (to n ".text") }' "$source/$page"
    for ((n = 1; ; n++)); do
        [[ -f $blocks/$n.do ]] || break
        what=$(<"$blocks/$n.do") text=$blocks/$n.text
        if [[ $what == "new "* ]]; then
            path=${what#new }
            [[ ! -e $path ]] || { echo "$path exists already" && exit 1; }
            mkdir -p "$(dirname "$path")"
            cp "$text" "$path"
        elif [[ $what == *" before: "* ]]; then
            path=${what#in } path=${path%% before: *}
            edit "$path" before "${what#* before: }" "$text"
        else
            path=${what#in } path=${path%% instead of: *}
            edit "$path" instead "${what#* instead of: }" "$text"
        fi
        own+=("$path")
        [[ $path != tests/* ]] || tests+=("$tree/$path")
    done
    ((n > 1)) || { echo "$page has no marked blocks" && exit 1; }
    (($(printf '%s\n' "${own[@]}" | sort -u | wc -l) <= 6)) || { echo "$page touches more than six files" && exit 1; }
    changed+=("${own[@]}")
}
for page in "$@"; do follow "$page"; done

clang-format --dry-run -Werror $(printf '%s\n' "${changed[@]}" | grep -E '\.(h|cpp)$' | sort -u)
tools/check_layers

# An outside project with the changed tree and the pages' tests.
cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(howto LANGUAGES CXX)
find_package(GTest REQUIRED)
add_subdirectory(tree)
add_executable(page_test $(printf "\"%s\" " "${tests[@]}") "$tree/tests/support/places.cpp")
target_link_libraries(page_test PRIVATE impuls impuls_options GTest::gtest_main)
target_include_directories(page_test PRIVATE "$tree/tests")
target_compile_definitions(page_test PRIVATE IMPULS_SOURCE_DIR="$tree" IMPULS_CLI="")
END
cmake -S "$work" -B "$work/out" -G Ninja -DCMAKE_CXX_FLAGS=-O0 -DIMPULS_WERROR=ON -DIMPULS_UNITE=12 \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
cmake --build "$work/out" --target page_test
"$work/out/page_test"

# Nothing else was touched.
different=$(cd "$work" && { diff -rqN before tree || true; } | sed -E 's|^Files before/(.*) and .* differ$|\1|' | sort -u)
expected=$(printf '%s\n' "${changed[@]}" | sort -u)
[[ $different == "$expected" ]] || {
    printf 'changed:\n%s\nbut the pages name:\n%s\n' "$different" "$expected"
    exit 1
}
rm -rf "$work"
