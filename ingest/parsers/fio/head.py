"""What tells a fio result: a document's first key, or what fio says before its first document."""


def matches(head: str) -> bool:
    return '"fio version"' in head or head.startswith(("fio: ", "hostname="))
