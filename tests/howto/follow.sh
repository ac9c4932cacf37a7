#!/usr/bin/env bash
# follow.sh SOURCE BUILD PAGE: does what a how-to page says, in a copy of the tree, then builds the library and runs the
# page's test. In the page, a code block stands after one of
#     <!-- new PATH -->               the block is the whole file
#     <!-- in PATH before: TEXT -->   the block goes before the only line that holds TEXT
# In the end exactly these files may differ from the original.
set -euo pipefail
source=$1 build=$2 page=$3
work=$build/howto
tree=$work/tree before=$work/before
# What the page may touch, and what the build needs.
parts=(CMakeLists.txt CMakePresets.json .clang-format apps cmake docs include scenes src tests tools)
rm -rf "$work"
mkdir -p "$before" "$work/blocks"
for part in "${parts[@]}"; do cp -r "$source/$part" "$before/"; done
cp -r "$before" "$tree"

# Block number N of the page: what to do in N.do, its text in N.text.
awk -v to="$work/blocks/" '
    /^<!-- (new|in) / { n++; sub(/^<!-- /, ""); sub(/ -->$/, ""); print > (to n ".do"); wanted = 1; next }
    /^```/ { if (inside) { inside = 0; close(to n ".text") } else if (wanted) { inside = 1; wanted = 0 } ; next }
    inside { print > (to n ".text") }' "$source/$page"

changed=() tests=()
cd "$tree"
for ((n = 1; ; n++)); do
    [[ -f $work/blocks/$n.do ]] || break
    what=$(<"$work/blocks/$n.do") text=$work/blocks/$n.text
    if [[ $what == "new "* ]]; then
        path=${what#new }
        [[ ! -e $path ]] || { echo "$path exists already" && exit 1; }
        mkdir -p "$(dirname "$path")"
        cp "$text" "$path"
    else
        path=${what#in } place=${what#* before: }
        path=${path%% before: *}
        [[ $(grep -cF -- "$place" "$path") == 1 ]] || { echo "$path: not exactly one line with: $place" && exit 1; }
        line=$(grep -nF -- "$place" "$path" | cut -d: -f1)
        sed -i "$((line - 1))r $text" "$path"
    fi
    changed+=("$path")
    [[ $path == tests/* ]] && tests+=("$tree/$path")
done
((n > 1)) || { echo "$page has no marked blocks" && exit 1; }

clang-format --dry-run -Werror $(printf '%s\n' "${changed[@]}" | grep -E '\.(h|cpp)$')
tools/check_layers

# An outside project with the changed tree and the page's test.
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
different=$(cd "$work" && { diff -rq before tree || true; } |
    sed -E 's|^Only in tree/?([^:]*): |\1/|; s|^Files before/(.*) and .* differ$|\1|' | sort -u)
expected=$(printf '%s\n' "${changed[@]}" | sort -u)
[[ $different == "$expected" ]] || {
    printf 'changed:\n%s\nbut the page names:\n%s\n' "$different" "$expected"
    exit 1
}
rm -rf "$work"
