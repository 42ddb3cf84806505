"""Posts a message to HEADROOM_WEBHOOK_URL, in the shape that Slack and its likes take.

The URL is a secret: no message of this module has it.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request

_TIMEOUT_SECONDS = 10
_PAUSES_SECONDS = (1, 4)


def post(text: str) -> str | None:
    """Post the text where HEADROOM_WEBHOOK_URL is set, in three tries; returns why it failed."""
    url = os.environ.get("HEADROOM_WEBHOOK_URL")
    if not url:
        return None
    problem = _try(url, text)
    for pause in _PAUSES_SECONDS:
        if problem:
            time.sleep(pause)
            problem = _try(url, text)
    return problem


def _try(url: str, text: str) -> str | None:
    body = json.dumps({"text": text}).encode()
    try:
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS):
            return None
    except urllib.error.HTTPError as error:
        return f"HTTP status {error.code}"
    except (OSError, ValueError, http.client.HTTPException) as error:
        # The words of these errors may quote the URL.
        cause = getattr(error, "reason", error)
        return getattr(cause, "strerror", None) or type(error).__name__
