"""Who may come in: the user of this machine alone, or the visitors of a site.

A door says under which names the server answers, and who asks. It is given a request's headers, and raises Refused or
returns the visitor: a text that tells visitors apart.
"""

import hmac
import secrets
import urllib.parse
from http import cookies

from cilkc_driver.console import Stop

COOKIE = "cilkc-visitor"


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status, self.text = status, text


class OneUser:
    """Each request must have the token of the printed address and a name of this machine, so that neither another user
    nor a page of the network has programs run here."""

    kept_bytes, is_class = 64 << 20, False

    def __init__(self):
        self.token, self.port = secrets.token_urlsafe(24), 0

    def listen_on(self, port):
        """The address to open."""
        self.port = port
        return "http://127.0.0.1:%d/?token=%s" % (port, self.token)

    def named(self, headers):
        return headers.get("Host") in ("127.0.0.1:%d" % self.port, "localhost:%d" % self.port)

    def admit(self, headers, token):
        if not self.named(headers):
            raise Refused(421, "this server has another name")
        if not hmac.compare_digest((token or "").encode(), self.token.encode()):
            raise Refused(403, "the token is wrong: open the printed address")
        return ""

    def page_headers(self, headers):
        return ()


class Visitors:
    """A public address, `origin`, that a proxy serves by TLS and passes on to us. A visitor is known by a signed cookie,
    or by a header that the proxy sets when it knows who logged in. Requests of other sites' pages are refused: they
    cannot send our header, and their Origin is not ours."""

    kept_bytes, is_class = 512 << 20, True
    token = "class"

    def __init__(self, origin, visitor_header=None):
        parts = urllib.parse.urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/") or parts.query:
            raise Stop("--origin: an address like https://cilk.example.edu is expected, not '%s'" % origin, 2)
        self.origin, self.host, self.is_secure = parts.scheme + "://" + parts.netloc, parts.netloc, parts.scheme == "https"
        self.visitor_header, self.secret = visitor_header, secrets.token_bytes(32)

    def listen_on(self, port):
        return self.origin + "/"

    def named(self, headers):
        return headers.get("Host") == self.host

    def sign(self, name):
        return hmac.new(self.secret, name.encode(), "sha256").hexdigest()[:32]

    def visitor(self, headers):
        if self.visitor_header:
            return headers.get(self.visitor_header) or None
        try:
            word = cookies.SimpleCookie(headers.get("Cookie", ""))[COOKIE].value
        except (KeyError, cookies.CookieError):
            return None
        name, _, signature = word.partition(".")
        return name if hmac.compare_digest(signature.encode(), self.sign(name).encode()) else None

    def admit(self, headers, token):
        if not self.named(headers):
            raise Refused(421, "this server has another name")
        if token != self.token or headers.get("Origin", self.origin) != self.origin:
            raise Refused(403, "this is not a request of the page")
        visitor = self.visitor(headers)
        if visitor is None:
            raise Refused(403, "load the page again")
        return visitor

    def page_headers(self, headers):
        if self.visitor_header or self.visitor(headers):
            return ()
        name = secrets.token_urlsafe(12)
        return (("Set-Cookie", "%s=%s.%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=864000%s"
                 % (COOKIE, name, self.sign(name), "; Secure" if self.is_secure else "")),)
