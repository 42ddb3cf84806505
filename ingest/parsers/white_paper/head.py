"""What tells a paper's document.yml under another name."""


def matches(head: str) -> bool:
    return "document_id:" in head and "editions:" in head
