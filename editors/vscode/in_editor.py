"""The extension in Visual Studio Code itself, in a browser that no screen shows: `make check-editor`.

    in_editor.py [OUT]

Input: build/cilk.vsix, the built compiler. Output: a line for each thing that was seen, and its picture in OUT
(build/editor). The status is 0 when all of it was seen.

How it works
  * Visual Studio Code is the server of the npm package that fetch() names: its extension host is a process of Node.js
    on this machine, as in the desktop's editor. None of its native parts is needed.
  * Chromium opens its page. This program steers the page by the protocol of Chromium's developer tools: it types,
    points, and looks at the page's elements.
"""

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile

from tornado import websocket

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVER = os.path.join(ROOT, ".deps", "vscode-server")
VERSION = "4.99.4"              # code-server's; its Visual Studio Code is 1.99 and runs on Node.js 20
NPM = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
PATIENCE = 120                  # seconds for each thing that must be seen
F1, ENTER = ("F1", 112), ("Enter", 13)

WRONG = """#include <stdio.h>

cilk int fib(int n)
{
    int x, y;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return x + z;
}

cilk int main(int argc, char **argv)
{
    int r;
    r = spawn fib(10);
    sync;
    printf("%d\\n", r);
    return 0;
}
"""


def fetch():
    """Visual Studio Code's server, once: 290 MB on the disk."""
    ready = os.path.join(SERVER, "ready-" + VERSION)
    code = os.path.join(SERVER, "node_modules", "code-server", "lib", "vscode")
    if not os.path.exists(ready):
        os.makedirs(SERVER, exist_ok=True)
        print("fetching Visual Studio Code's server by npm: 290 MB on the disk", flush=True)
        for folder, words in ((SERVER, ["--prefix", SERVER, "code-server@" + VERSION]),
                              (code, ["--omit=dev", "--legacy-peer-deps"])):
            if subprocess.run([*NPM, *words], cwd=folder, stdin=subprocess.DEVNULL).returncode != 0:
                raise SystemExit("npm could not fetch Visual Studio Code's server; the same command tries again")
        open(ready, "w").close()
    return os.path.join(code, "out", "server-main.js")


class Page:
    """A page of a browser, by the protocol of its developer tools."""

    def __init__(self, out):
        self.out, self.number = out, 0

    async def open(self, port, address):
        asked = urllib.request.Request("http://127.0.0.1:%d/json/new?about:blank" % port, method="PUT")
        with urllib.request.urlopen(asked) as answer:
            where = json.load(answer)["webSocketDebuggerUrl"]
        self.socket = await websocket.websocket_connect(where, max_message_size=1 << 28)
        await self.call("Page.enable")
        await self.call("Page.navigate", url=address)

    async def call(self, method, **params):
        self.number += 1
        await self.socket.write_message(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            text = await self.socket.read_message()
            if text is None:
                raise SystemExit("the browser is gone")
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    async def value(self, script):
        made = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return made["result"].get("value")

    async def until(self, script, what):
        """The value of `script` as soon as there is one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = await self.value(script)
            if found:
                return found
            await asyncio.sleep(0.2)
        await self.picture("not-seen")
        raise SystemExit("not seen: %s (%s/not-seen.png)" % (what, self.out))

    async def key(self, key, modifiers=0):
        name, code = key
        text = {"text": "\r"} if key == ENTER else {}
        words = {"key": name, "code": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        await self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **words, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **words)

    async def command(self, title):
        """Runs a command of the editor by its title."""
        await self.key(F1)
        await self.until("document.querySelector('.quick-input-widget input') !== null", "the list of commands")
        await asyncio.sleep(0.5)
        await self.call("Input.insertText", text=title)
        await self.until(
            "[...document.querySelectorAll('.quick-input-list .monaco-list-row')].some((row) => row.ariaLabel?.includes(%s))"
            % json.dumps(title.split(": ")[-1]), "the command " + title
        )
        await self.key(ENTER)

    async def point(self, script):
        """Moves the mouse to the middle of an element."""
        x, y = await self.until(
            "(() => { const box = (%s)?.getBoundingClientRect(); return box && [box.x + box.width / 2, box.y + box.height / 2]; })()"
            % script, script
        )
        for where in ((700, 600), (700, 620), (x - 2, y), (x, y)):        # away from what shows a hover now, then there
            await self.call("Input.dispatchMouseEvent", type="mouseMoved", x=where[0], y=where[1])
            await asyncio.sleep(0.3)
        return x, y

    async def click(self, script):
        x, y = await self.point(script)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def picture(self, name):
        await asyncio.sleep(0.5)
        made = await self.call("Page.captureScreenshot", format="png")
        with open(os.path.join(self.out, name + ".png"), "wb") as file:
            file.write(base64.b64decode(made["data"]))

    async def seen(self, name, script, what):
        found = await self.until(script, what)
        await self.picture(name)
        print("ok  %-12s %s" % (name, what), flush=True)
        return found


def holds(selector, words):
    """A script: does the text of such elements hold the words? The editor shows blanks as no-break spaces."""
    text = "[...document.querySelectorAll(%s)].map((one) => one.innerText).join('\\n').replaceAll('\\u00a0', ' ')"
    return "(%s).includes(%s)" % (text % json.dumps(selector), json.dumps(words))


def named(name, number):
    """A script: a name in the text, by how many are before it."""
    return "[...document.querySelectorAll('.view-line span span')].filter((one) => one.innerText.trim() === '%s')[%d]" % (
        name, number,
    )


async def trust(page):
    """Opens the page about trust, and presses its button, or that of the question that comes instead."""
    buttons = "[...document.querySelectorAll('.monaco-button')]"
    yes = "(%s.find((one) => /^Yes, I trust/.test(one.textContent)) || %s.find((one) => one.textContent.trim() === 'Trust'))" % (
        buttons, buttons,
    )
    await page.click("document.querySelector('[id=\"status.workspaceTrust\"] a')")
    while await page.value(holds(".statusbar", "Restricted Mode")):
        await page.click(yes)
        await asyncio.sleep(2)
    await page.click("document.querySelector('.tab[data-resource-name=\"fib.cilk\"]')")


async def look(page):
    """What a user sees, in turn."""
    lines, hover = ".editor-instance .view-line", ".monaco-hover"
    squiggle = "document.querySelector('.squiggly-error')"
    await page.seen("restricted", holds(".statusbar", "Restricted Mode"), "a folder that is not trusted has colours only")
    await trust(page)
    await page.seen("squiggle", squiggle + " !== null", "an error is underlined in the text")
    await page.seen("hints", holds(lines, "runs in parallel with fib(n - 1)"), "a hint says what runs in parallel")
    await page.point(named("fib", 3))
    await page.seen("hover", holds(hover, "cilk int fib(int"), "a hover has the declaration")
    await page.point(squiggle)
    await page.seen("message", holds(hover, "'z' undeclared"), "a hover has the message")
    await page.command("View: Focus Problems")
    await page.seen("problems", holds(".markers-panel", "'z' undeclared"), "the list of problems has the message")
    await page.command("Outline: Focus on Outline View")
    await page.seen("outline", holds(".outline-pane", "main"), "the outline has the procedures")
    await page.command("Cilk: Show the C elision")
    await page.seen("refused", holds(".notifications-toasts", "undeclared"), "a command says why it has no answer")


async def mend(page):
    """The same file without its mistake: what needs a program that compiles."""
    lines = ".editor-instance .view-line"
    await page.until("document.querySelector('.squiggly-error') === null", "no error is underlined")
    await page.command("Cilk: Show the C elision")
    await page.seen("elision", holds(lines, "x = fib(n - 1);"), "the elision is beside the text")
    await page.command("Cilk: Show the two clones of each procedure")
    await page.seen("clones", holds(lines, "slow clone"), "the two clones are beside the text")
    await page.command("Cilk: Run and find determinacy races")
    await page.seen("races", holds(".notifications-toasts", "no races"), "the race detector's answer")


async def steer(out, port, server, folder):
    page, path = Page(out), os.path.join(folder, "fib.cilk")
    payload = json.dumps([["openFile", "vscode-remote://127.0.0.1:%d%s" % (server, path)]])
    words = urllib.parse.urlencode({"folder": folder, "payload": payload})
    await page.open(port, "http://127.0.0.1:%d/?%s" % (server, words))
    await look(page)
    write(path, WRONG.replace("x + z", "x + y"))
    await mend(page)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def line_of(stream, pattern):
    for line in stream:
        found = re.search(pattern, line)
        if found:
            return found
    raise SystemExit("a program ended before it wrote %s" % pattern)


def start(words, home, stream):
    """A program with a home of its own, in a group of its own."""
    keywords = {stream: subprocess.PIPE, {"stdout": "stderr", "stderr": "stdout"}[stream]: subprocess.DEVNULL}
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True, env=dict(os.environ, HOME=home),
                            start_new_session=True, **keywords)


def main():
    out = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "editor"))
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    program, running = fetch(), []
    with tempfile.TemporaryDirectory() as home:
        extension = os.path.join(home, "extensions", "cilkc.cilk")
        with zipfile.ZipFile(os.path.join(ROOT, "build", "cilk.vsix")) as archive:
            archive.extractall(os.path.join(home, "vsix"))
        shutil.move(os.path.join(home, "vsix", "extension"), extension)
        write(os.path.join(home, "work", "fib.cilk"), WRONG)
        write(os.path.join(home, "data", "data", "Machine", "settings.json"),
              json.dumps({"cilkc.path": os.path.join(ROOT, "cilkc")}))
        try:
            words = ["node", program, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
            words += ["--accept-server-license-terms", "--telemetry-level", "off", "--server-data-dir", home + "/data"]
            running.append(start([*words, "--extensions-dir", home + "/extensions"], home, "stdout"))
            server = int(line_of(running[-1].stdout, r"agent listening on (\d+)")[1])
            words = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"]
            words += ["--remote-debugging-port=0", "--user-data-dir=" + home + "/browser", "about:blank"]
            running.append(start(words, home, "stderr"))
            port = int(line_of(running[-1].stderr, r"listening on ws://127\.0\.0\.1:(\d+)")[1])
            asyncio.run(steer(out, port, server, os.path.join(home, "work")))
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    print("the pictures are in " + out)


if __name__ == "__main__":
    main()
