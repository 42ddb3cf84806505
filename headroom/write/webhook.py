"""Posts a message to HEADROOM_WEBHOOK_URL in Slack's format.

The URL is a secret and never printed; HEADROOM_WEBHOOK_URL_FILE may name a file with it.
"""

import os
from pathlib import Path

_TIMEOUT_SECONDS = 10
_PAUSE_SECONDS = 2.0


def post(text: str) -> str | None:
    """Post the text if a URL is set, in up to three tries; returns the error."""
    url, file = (os.environ.get(f"HEADROOM_WEBHOOK_URL{end}") for end in ("", "_FILE"))
    if file and not url:
        try:
            url = Path(file).read_text().strip()
        except OSError as error:
            return f"HEADROOM_WEBHOOK_URL_FILE: {error.strerror}"
        except UnicodeDecodeError:
            return "HEADROOM_WEBHOOK_URL_FILE: is not a text"
    if not url:
        return None
    import requests  # a sixth of a second, which only a night has to take
    from urllib3.util import Retry

    tries = Retry(
        total=2,
        backoff_factor=_PAUSE_SECONDS,  # the second try is at once, the third after twice as long
        allowed_methods=None,
        status_forcelist=range(400, 600),
        raise_on_status=False,
        respect_retry_after_header=False,  # it may ask for an hour
    )
    try:
        with requests.Session() as session:
            for scheme in ("https://", "http://"):
                session.mount(scheme, requests.adapters.HTTPAdapter(max_retries=tries))
            message = {"text": text}
            answer = session.post(url, json=message, timeout=_TIMEOUT_SECONDS, stream=True)
    except (requests.RequestException, ValueError) as error:
        return _without_url(error)
    return None if answer.ok else f"HTTP status {answer.status_code}"


def _without_url(error: Exception) -> str:
    """The system's message or the error's name: the client's message may contain the URL."""
    cause = getattr(error.args[0] if error.args else None, "reason", error)
    return getattr(cause.__context__, "strerror", None) or type(cause).__name__
