"""What every answer says to a browser: ask nobody else, guess nothing, show this in no other page's frame."""

from __future__ import annotations

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        # The page sets sizes and places of what it draws.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

NAMED = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

HEADERS = [(name.lower().encode(), value.encode()) for name, value in NAMED.items()]

KIND_OF_STATUS = {
    400: "malformed",
    401: "key",
    403: "key",
    404: "unknown",
    405: "unknown",
    413: "large",
    415: "malformed",
    429: "often",
}
