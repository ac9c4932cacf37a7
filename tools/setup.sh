# Shared by ./impuls and ./test, which source it after setting `root` (the project's folder) and `me` (the
# name in messages): installing packages, logging, configuring. All messages go to stderr.

# ccache: works with precompiled headers, and in one clone knows what was compiled in another.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() {
    say "$@"
    exit 1
}

# logged LOG COMMAND...: runs with all output in LOG. On a terminal, build steps show as one moving line.
logged() {
    local log=$1 status=0
    shift
    mkdir -p "$(dirname "$log")"
    if [[ -t 2 ]]; then
        "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
            if [[ $line == \[* ]]; then printf '\r\033[K%.78s' "$line" >&2; fi
        done || status=$?
        printf '\r\033[K' >&2
    else
        "$@" >"$log" 2>&1 </dev/null || status=$?
    fi
    return "$status"
}

# show_log LOG: the end of a log, for a failure.
show_log() {
    tail -n 25 "$1" | sed 's/^/    /' >&2
    say "the whole log: $1"
}

# packages SECTION...: the names in these sections of tools/packages.txt.
packages() {
    awk -v sections=" $* " '
        /^#/ || NF == 0 { next }
        /^\[/ { wanted = index(sections, " " substr($1, 2, length($1) - 2) " "); next }
        wanted { print $1 }' "$root/tools/packages.txt"
}

# missing_packages SECTION...: those that dpkg does not know as installed, nor as part of another (npm in some nodejs).
missing_packages() {
    local names
    mapfile -t names < <(packages "$@")
    { dpkg-query -W -f '${db:Status-Abbrev} ${Package}, ${Provides}\n' 2>/dev/null || true; } |
        awk -F '[ ,]+' -v names="${names[*]}" '
            $1 == "ii" { for (i = 2; i <= NF; i++) have[$i] = 1 }
            END { n = split(names, all, " "); for (i = 1; i <= n; i++) if (!(all[i] in have)) print all[i] }'
}

# install_packages SECTION...: installs what is missing with apt, or says what to install.
install_packages() {
    local missing as_root=() log=$root/build/apt.log
    command -v dpkg-query >/dev/null || {
        say "no dpkg here, so make sure yourself that you have: $(packages "$@" | tr '\n' ' ')"
        return 0
    }
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) && return 0
    if ((EUID != 0)); then
        if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
            sudo -v && as_root=(sudo)
        fi
        ((${#as_root[@]})) || die "packages are missing and I may not install them. As root: apt-get install ${missing[*]}"
    fi
    say "installing with apt: ${missing[*]}"
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    mkdir -p "$root/build"
    { "${as_root[@]}" update && "${as_root[@]}" install -y --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1 </dev/null || {
        show_log "$log"
        die "apt could not install: ${missing[*]}"
    }
}

# configure PRESET [CMAKE-ARGUMENT...]: configures build/PRESET. A build folder that was moved here from
# elsewhere is thrown away. Warnings of a compiler that the tests do not use must not stop anybody.
configure() {
    local preset=$1 build=$root/build/$1 arguments=()
    shift
    if [[ -f $build/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        rm -rf "$build"
    fi
    [[ $(g++ -dumpversion 2>/dev/null) == 12 ]] && arguments+=(-DIMPULS_WERROR=ON)
    command -v ccache >/dev/null && arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    (cd "$root" && cmake --preset "$preset" "${arguments[@]}" "$@")
}

# build PRESET [TARGET...]: all targets when none is named.
build() {
    local preset=$1
    shift
    (cd "$root" && cmake --build "build/$preset" ${1:+--target "$@"})
}
