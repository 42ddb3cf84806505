"""Known formats that no parser reads are named, with a remedy."""

from pathlib import Path

import pytest

from ingest.common.errors import InputError, NoResult
from ingest.common.text_files import as_utf8
from ingest.find import other_formats
from ingest.find.identify import identify
from tests.conftest import ROOT

OTHER_TOOLS = ROOT.parent / "shared/other_tools"
# The first lines as the tools print them.
HEADS = {
    "fio's terse output of version 2: run fio with --output-format=json": [
        "2;card0;0;0;7139336;121836;60004;1;10109;27.932460;116.933948;220;126861;3495.44\n",
    ],
    "a part of fio's normal output: restore the whole file": [
        "  read: IOPS=52.4k, BW=205MiB/s (215MB/s)(2049MiB/10001msec)\n",
        "  read : io=2049.0MB, bw=209801KB/s, iops=52450, runt= 10001msec\n",
        "    clat (usec): min=2, max=9\n  write: IOPS=1, BW=4096B/s (4096B/s)(4096B/1000msec)\n",
    ],
    "a part of a fio JSON result: restore the whole file": [
        '      "jobname" : "randread",\n      "groupid" : 0,\n',
        '{\n  "jobname": "randread"\n}\n',
    ],
    "a part of an Iometer result: restore the whole file": [
        "'Access specification name,default assignment\n4 KiB,2\n",
    ],
    "elbencho's JSON: run elbencho with --csvfile": [
        '{"phase_type":"WRITE","phase_id":"6b1c","iso_start_date":"2026-06-22T09:30:00.250+0100",\n',
    ],
    "a result of bonnie++: there is no parser for it": [
        "Version  1.03       ------Sequential Output------ --Sequential Input- --Random-\n",
        "Version 2.00a       ------Sequential Output------ --Sequential Input- --Random-\n",
        "1.98,1.98,server,1,1572348723,32G,,8192,5,1024,99\n",
    ],
    "a part of a DiskSpd result: restore the whole file": [
        "\nCommand Line: diskspd -b4K -t2 -r -o32 -d10 -Sh testfile.dat\n\nInput parameters:\n",
        "\nResults for timespan 1:\n" + "*" * 79 + "\n\nactual test time:\t10.00s\n",
        "WARNING: Error adjusting token privileges for SeManageVolumePrivilege (error code: 1300)\n"
        "\nCommand Line: diskspd.exe -c1G -d120 -r -w50 -t8 -o8 -b4K -Sh -L testfile.dat\n",
    ],
    "a result of IOzone: there is no parser for it": [
        "\tIozone: Performance Test of File I/O\n\t        Version $Revision: 3.506 $\n",
    ],
}


@pytest.mark.parametrize(
    ("reason", "head"), [(reason, head) for reason, heads in HEADS.items() for head in heads]
)
def test_a_known_format_is_named_with_the_remedy(reason: str, head: str) -> None:
    for content in (head.encode(), head.encode("utf-16"), head.replace("\n", "\r\n").encode()):
        with pytest.raises(InputError) as error:
            identify(Path("result.txt"), as_utf8(content))
        assert str(error.value) == f"result.txt: is {reason}"


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (".txt", "# Notes\nWe ran vdbench, elbencho and fio.\n"),
        (".txt", "[settings]\nname = x\n"),
        ("fio job file", "[global]\nioengine=libaio\ndirect=1\n\n[randread]\nrw=randread\nbs=4k\n"),
        ("fio job file", "; nightly\n# of the lab\n[database]\nfilename=/dev/sdb\nrwmixread=67\n"),
        (
            "DiskSpd profile",
            "\nCommand Line: diskspd -b4K -Rptext a.dat\n\nInput parameters:\n\n"
            "\ttimespan:   1\n\t-------------\n\tduration: 10s\n",
        ),
        ("DiskSpd profile", "<Profile>\n  <Progress>0</Progress>\n  <TimeSpans>\n"),
        (
            "vdbench parameter file",
            "sd=sd1,lun=/dev/sdb,openflags=o_direct\nwd=wd1,sd=sd1,xfersize=8k,rdpct=67\n"
            "rd=run1,wd=wd1,iorate=max,elapsed=60\n",
        ),
    ],
)
def test_other_content_is_not_a_result(kind: str, content: str) -> None:
    for data in (content.encode(), content.encode("utf-16")):
        with pytest.raises(NoResult, match=f"^{kind}$"):
            identify(Path("notes.txt"), as_utf8(data))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("run.json", b"", "is empty"),
        ("run.csv", b"\0" * 5000, "is not text"),
        ("run.json", b'{"jobs": [', "is not JSON, or not all of it"),
        ("run.json", b"no such device\n", "is not JSON, or not all of it"),
        ("a_bw.1.log", b"xx, 2, 0, 0\n", "not its first line"),
        ("runs.7z", b"7z\xbc\xaf", "unpack it"),
    ],
)
def test_unreadable_file_named_as_result_is_refused(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        identify(Path(name), content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("package.json", b'{"name": "app"}\n'),
        ("events.json", b'{"a": 1}\n{"a": 2}\n'),
        ("__init__.py", b""),
        ("job.err", b""),
        ("a.bin", b"\0" * 5000),
    ],
)
def test_a_name_alone_makes_no_result(name: str, content: bytes) -> None:
    with pytest.raises(NoResult, match=f"^{Path(name).suffix}$"):
        identify(Path(name), content)


def test_text_quoting_iometer_is_not_a_result() -> None:
    """For example a test suite's output; a block without rows would measure nothing."""
    for quoted in (
        "'Test Type,Test Description\n0,x",
        "Target Type,Target Name,Access Specification",
    ):
        with pytest.raises(NoResult):
            identify(Path("suite.txt"), f"RUN EXIT=0\n{quoted}\nall passed\n".encode())


@pytest.mark.skipif(not OTHER_TOOLS.exists(), reason=f"there are no samples: {OTHER_TOOLS}")
def test_real_files_of_other_tools_are_read() -> None:
    files = [path for path in OTHER_TOOLS.iterdir() if path.suffix != ".md"]
    assert len(files) >= 20
    for path in files:
        data = as_utf8(path.read_bytes())
        tool = next(
            tool for tool in ("vdbench", "elbencho", "diskspd") if tool in path.name.lower()
        )
        parser = identify(path, data)
        assert (parser.NAME, bool(parser.parse(path, data)["generic_results"])) == (tool, True)


def test_format_detection_is_fast() -> None:
    for part in (b"\n", b" ", b"a: ", b"[a]\n", b"sd=a,\n", b"# \n", b"1;fio-", b"rw", b"-"):
        with pytest.raises(NoResult):
            other_formats.refuse(Path("any"), part * (4096 // len(part)))


def test_samples_are_identified() -> None:
    files = [*(ROOT / "data/samples").rglob("*.json"), *(ROOT / "data/samples").rglob("*.log")]
    assert len(files) > 10
    for file in files:
        assert identify(file, file.read_bytes())
