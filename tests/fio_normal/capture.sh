#!/bin/sh
# Writes this folder's captures: what fio prints for people and as JSON, of the same run, in one
# file. Needs root, for a file system that is full. Made with fio 3.33 of Debian 12.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'umount "$scratch/full" 2>/dev/null || true; rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir full
mount -t tmpfs -o size=1m none full

capture() {
    name=$1
    shift
    ${before:-} fio --output="$here/$name.txt" --output-format="${format:-normal,json}" \
        --name="$name" "$@" || true
}

file="--filename=data --size=4m"
second="--time_based --runtime=1"
seconds="--time_based --runtime=2"
capture random-read $file --rw=randread --bs=4k --ioengine=libaio --direct=1 --iodepth=4 $seconds
capture write-fsync $file --rw=write --bs=64k --ioengine=sync --fsync=4 $second
capture mixed-70-30 $file --rw=randrw --rwmixread=70 --bs=8k,16k --ioengine=psync $seconds
capture processes $file --rw=randread --numjobs=3 $second --rate_iops=900,0,0
capture grouped $file --rw=randwrite --numjobs=3 --group_reporting $second
format=normal,json+
capture all-percentiles $file --rw=randread --ioengine=libaio --iodepth=2 --number_ios=300 \
    --slat_percentiles=1 --clat_percentiles=1 --lat_percentiles=1 --percentile_list=25:50:99.9:99.999
format=normal,json
capture fdatasync $file --rw=randrw --number_ios=500 --lat_percentiles=1 --fdatasync=10
capture rate-limited $file --rw=write --bs=16k --rate=3m $seconds
capture null-engine --size=64g --rw=randread --bs=512 --ioengine=null --iodepth=16 $second
capture trims --size=1g --rw=trimwrite --bs=64k --ioengine=null --number_ios=4000
capture decimal-bits $file --rw=read --bs=4k --kb_base=1000 --unit_base=1 $second
capture decimal-bytes $file --rw=write --kb_base=1000 --bs=1k $second
capture bits $file --rw=randrw --bs=4k --unit_base=1 --number_ios=3000
capture unified-mixed $file --rw=randrw --unified_rw_reporting=mixed --number_ios=2000
capture unified-both $file --rw=randrw --unified_rw_reporting=both --number_ios=2000
capture milliseconds --filename=/dev/zero --size=8g --rw=read --bssplit=128m/70:1g/30 --number_ios=12
capture disk-full --filename=full/data --size=2m --rw=write --bs=4k --fallocate=none
rm full/data
capture errors-counted --filename=full/data --size=2m --rw=write --bs=4k \
    --continue_on_error=write --fallocate=none
capture steady $file --rw=randread --rate_iops=500 --runtime=6 --time_based --ss=iops:30% --ss_dur=2
capture two-groups $file --description="two groups" --rw=read --bs=32k --number_ios=400 \
    --name=after --stonewall $file --rw=randwrite --bs=2k --number_ios=400 --significant_figures=7
before="timeout --signal=INT 1"
capture interrupted $file --rw=randread --runtime=30 --time_based --rate_iops=1000
