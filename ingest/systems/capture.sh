#!/bin/sh
# What a machine is made of, for the results of benchmarks that ran on it.
#
#     sudo sh capture.sh RESULTS_DIR
#
# writes RESULTS_DIR/system/: what the machine's own tools print, a file a command, and capture.txt
# with what was run and how it ended. `headroom ingest` reads the folder with the results. The script
# changes nothing on the machine and needs no more than a POSIX shell. What it writes has the host's
# name and, where the tools print them, serial numbers: look before you pass it on.
set -u
version=1
LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/opt/MegaRAID/storcli:/opt/MegaRAID/perccli
PATH=$PATH:/opt/MegaRAID/storcli2:/opt/MegaRAID/perccli2
export LC_ALL PATH

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: sh capture.sh RESULTS_DIR (a folder that exists)" >&2
    exit 2
fi
target=$1/system
out=$target.partial
if [ -e "$target" ] && [ ! -e "$target/capture.txt" ]; then
    echo "capture.sh: $target exists and was not written by capture.sh: rename it first" >&2
    exit 2
fi
rm -rf "$out"
mkdir "$out" || exit 2
missing=
limit=
timeout 120 true 2>/dev/null && limit="timeout 120"

note() {
    echo "$*" >>"$out/capture.txt"
}

tell() { # in the manifest and to whoever runs it
    note "$*"
    echo "capture.sh: $*" >&2
}

run() { # run FILE TOOL ARGUMENT...: keep what the tool prints; fails if it printed nothing
    file=$1
    shift
    if ! command -v "$1" >/dev/null 2>&1; then
        case " $missing " in *" $1 "*) ;; *) missing="$missing $1" ;; esac
        return 1
    fi
    # shellcheck disable=SC2086 # two words, or none
    $limit "$@" >"$out/$file" 2>"$out/stderr" </dev/null
    code=$?
    reason=$(head -n 1 "$out/stderr")
    rm -f "$out/stderr"
    if [ -s "$out/$file" ]; then
        note "exit $code: $file: $*"
        return 0
    fi
    rm -f "$out/$file"
    tell "exit $code: nothing printed: $*${reason:+: $reason}"
    return 1
}

first() { # the first of the tools that is installed, else the first
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 && echo "$tool" && return
    done
    echo "$1"
}

paths() { # which PCI device each disk and NVMe controller is on
    for link in /sys/class/block/* /sys/class/nvme/* /sys/class/nvme-subsystem/*/nvme*; do
        [ -e "$link" ] && echo "$link $(readlink -f "$link")"
    done
}

hypervisor() { # its name; yes where it has none
    found=$(systemd-detect-virt --vm 2>/dev/null)
    if [ -z "$found" ]; then
        found=none
        grep -q '^flags.* hypervisor' /proc/cpuinfo && found=yes
    fi
    echo "$found"
}

note "headroom capture $version, $(date -u +%Y-%m-%dT%H:%M:%SZ), $(uname -n)"

run machine-uname.txt uname -a
[ -r /etc/os-release ] && run machine-os-release.txt cat /etc/os-release
run machine-fio.txt fio --version
dmi=/sys/class/dmi/id
[ -d $dmi ] && run machine-dmi.txt grep -s . $dmi/sys_vendor $dmi/product_name $dmi/bios_vendor \
    $dmi/bios_version $dmi/bios_date
run machine-memory.txt grep MemTotal /proc/meminfo
virtual=$(hypervisor)
echo "virtual machine: $virtual" >"$out/machine-virtual.txt"
note "exit 0: machine-virtual.txt: systemd-detect-virt --vm, or the flag hypervisor of /proc/cpuinfo"

columns=NAME,KNAME,VENDOR,MODEL,ROTA,SIZE,TRAN,TYPE
run lsblk.json lsblk -J -b -o $columns || run lsblk.txt lsblk -P -b -o $columns,PKNAME
run findmnt.json findmnt -J -o TARGET,SOURCE,FSTYPE || run findmnt.txt findmnt -P -o TARGET,SOURCE,FSTYPE
run lspci.txt lspci -D -vv
paths >"$out/lspci-paths.txt"
note "exit 0: lspci-paths.txt: readlink -f of /sys/class/block/* and /sys/class/nvme/*"

for disk in /sys/block/*; do
    name=${disk##*/}
    [ -b "/dev/$name" ] || continue
    case $name in
        sd* | hd* | vd* | xvd* | nvme*) run "smartctl-$name.json" smartctl -j -a "/dev/$name" ;;
        md*) run "mdadm-$name.txt" mdadm --detail "/dev/$name" ;;
    esac
done
# A second capture says what the run in between did to the drives.
for earlier in "$target"/smartctl-*.json; do
    name=${earlier##*/}
    case $name in *.before.json) continue ;; esac
    [ -e "$out/$name" ] && cp "$earlier" "$out/${name%.json}.before.json"
done
[ -r /proc/mdstat ] && run mdadm-mdstat.txt cat /proc/mdstat
run nvme-list.json nvme list -o json
for controller in /sys/class/nvme/nvme*; do
    name=${controller##*/}
    [ -e "$controller" ] && run "nvme-id-ctrl-$name.json" nvme id-ctrl -o json "/dev/$name"
done
run lvm-lvs.json lvs --reportformat json --units b -o lv_name,vg_name,segtype,stripes,stripe_size,devices
run lvm-pvs.json pvs --reportformat json --units b -o pv_name,vg_name,pv_size
run multipath.txt multipath -ll

storcli=$(first storcli64 storcli perccli64 perccli storcli2 perccli2)
run storcli-call.json "$storcli" /call show all J &&
    run storcli-volumes.json "$storcli" /call/vall show all J &&
    run storcli-drives.json "$storcli" /call/eall/sall show all J
run ssacli.txt "$(first ssacli hpssacli)" ctrl all show config detail

[ -z "$missing" ] || tell "not installed:$missing (each is needed only where the machine has what it tells of)"
[ "$(id -u)" = 0 ] || tell "not run as root: links (lspci), drives (smartctl, nvme) and RAID volumes are told to root only"
[ "$virtual" = none ] || tell "a virtual machine ($virtual): controller, RAID level, drives and links of the host behind its disks are told by no tool in it"

rm -rf "$target.old"
[ ! -e "$target" ] || mv "$target" "$target.old" || exit 2
mv "$out" "$target" || exit 2
rm -rf "$target.old"
echo "capture.sh: wrote $target: $(find "$target" -type f | wc -l) files" >&2
