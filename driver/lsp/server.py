"""The protocol: which request is answered by what, and when a file is compiled.

A file is compiled when it is opened, at the first change after a rest, and a moment after the changes that follow. A
request about a newer text waits for that text's index. Compilations run in threads, one at a time for each file; a text
that has been changed again meanwhile is not compiled.
"""

import asyncio
import os
import subprocess
import time

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from cilkc_driver import home

from . import answers, editing, runs
from .answers import path_of, uri_of
from .compiler import SUFFIXES, Compiler, command, flags_of, with_copies
from .index import Index, same
from .positions import Text

QUIET = 0.05            # seconds without a change before a text is compiled
REST = 0.5              # after so long the next change does not wait
MOST_FILES = 200        # of a folder that are searched for a name
STAGES = {"cilkc.elide": ["elide"], "cilkc.clones": ["emit", "--stage", "clones"]}


class RequestFailed(JsonRpcException):
    CODE = -32803       # RequestFailed of the protocol
    MESSAGE = "Request failed"


class File:
    """What is known of one open text."""

    def __init__(self):
        self.version, self.index, self.messages = None, None, []
        self.lock, self.changed = asyncio.Lock(), 0.0
        self.found = {}         # by tool: diagnostics of a race or a profile, until the text changes
        self.proof = None       # what `cilkc prove` printed of this text


class Server(LanguageServer):
    def __init__(self):
        super().__init__("cilkc", home.VERSION)
        self.compiler, self.files = Compiler(), {}
        self.kept = {}          # by name: state and index of files that are not open
        self.settings = {"flags": ["-Wall"], "arguments": [], "raceOnSave": False, "profileOnSave": False,
                         "proveOnSave": False}

    def close(self):
        self.compiler.close()

    # ---- texts
    @property
    def documents(self):
        """The open ones by their addresses. Those of pygls have addresses without the quotes of a blank or an umlaut."""
        return {document.uri: document for document in self.workspace.text_documents.values()}

    def text(self, uri):
        return self.workspace.get_text_document(uri).source

    def texts(self):
        """A function from a file's name to its lines, as the editor has them; each is read once."""
        opened = {os.path.realpath(path_of(uri)): document.source for uri, document in self.documents.items()}
        read = {}

        def of(name):
            name = os.path.realpath(name)
            if name not in read:
                read[name] = Text(opened[name]) if name in opened else Text.of_file(name)
            return read[name]
        return of

    def others(self, uri):
        return {path_of(name): document.source for name, document in self.documents.items() if name != uri}

    def configure(self, given):
        for name, value in (given or {}).items():
            if name in self.settings and isinstance(value, type(self.settings[name])):
                self.settings[name] = value

    # ---- compiling
    async def fresh(self, uri):
        """The File of the text as it is now."""
        file = self.files.setdefault(uri, File())
        async with file.lock:
            document = self.workspace.get_text_document(uri)
            if file.version == document.version and file.index is not None:
                return file
            version, text, path = document.version, document.source, path_of(uri)
            result = await asyncio.to_thread(self.compiler.analyse, path, text, self.others(uri),
                                             self.settings["flags"])
            made = Index(path, result.index)
            if made.symbols or file.index is None:
                file.index = made
            if file.version != version:
                file.found, file.proof = {}, None
            file.version, file.messages = version, result.messages
            if uri in self.documents:
                self.publish(uri, file)
            return file

    def publish(self, uri, file):
        found = answers.diagnostics(path_of(uri), file.messages, self.texts(), file.index)
        for more in file.found.values():
            found += more
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version=file.version))

    async def index(self, uri):
        return (await self.fresh(uri)).index, Text(self.text(uri))

    async def after_change(self, uri, version):
        file, now = self.files.setdefault(uri, File()), time.monotonic()
        rested, file.changed = now - file.changed > REST, now
        if not rested:
            await asyncio.sleep(QUIET)
        document = self.documents.get(uri)
        if document is not None and document.version == version:
            await self.fresh(uri)

    # ---- names in other files
    async def everywhere(self, index, symbol):
        """[(index, symbol)] of a name that others can see: in files of its folder and open ones that have the word."""
        found = [(index, symbol)]
        if symbol.is_local:
            return found
        texts, names = self.texts(), {os.path.realpath(path_of(uri)) for uri in self.documents}
        folder = os.path.dirname(index.path)
        try:
            listed = sorted(os.listdir(folder))[:MOST_FILES]
        except OSError:
            listed = []
        names |= {os.path.realpath(os.path.join(folder, name)) for name in listed if name.endswith((*SUFFIXES, ".c"))}
        for name in sorted(names - {os.path.realpath(index.path)}):
            text = "\n".join(texts(name).lines)
            if symbol.name not in text:
                continue
            result = await asyncio.to_thread(self.compiler.analyse, name, text, self.others(uri_of(name)),
                                             self.settings["flags"])
            other = Index(name, result.index)
            found += [(other, one) for one in other.symbols if same(symbol, one)]
        return found

    async def indexes(self):
        """Those of the open files, and of the files in their folders and the workspace's, each compiled once in a state."""
        texts, opened = self.texts(), {os.path.realpath(path_of(uri)): uri for uri in self.documents}
        folders = {os.path.dirname(name) for name in opened}
        folders |= {path_of(uri) for uri in self.workspace.folders} | ({self.workspace.root_path} - {None})
        names = {os.path.realpath(os.path.join(folder, name)) for folder in folders if os.path.isdir(folder)
                 for name in sorted(os.listdir(folder))[:MOST_FILES] if name.endswith((*SUFFIXES, ".c"))}
        made = [(await self.fresh(uri)).index for uri in opened.values()]
        for name in sorted(names - set(opened)):
            if not os.path.isfile(name):
                continue
            state = os.stat(name)
            key = (state.st_mtime_ns, state.st_size)
            if self.kept.get(name, (None, None))[0] != key:
                result = await asyncio.to_thread(self.compiler.analyse, name, "\n".join(texts(name).lines), {},
                                                 self.settings["flags"])
                self.kept[name] = key, Index(name, result.index)
            made.append(self.kept[name][1])
        return made

    # ---- what runs something
    async def stage(self, name, uri):
        path = path_of(uri)
        folder, copy, found = self.compiler.place(path, self.text(uri), self.others(uri))
        try:
            words = [*STAGES[name], *with_copies(flags_of(path, []), folder), *found, copy]
            done = await asyncio.to_thread(subprocess.run, command(words), stdin=subprocess.DEVNULL,
                                           capture_output=True, timeout=60, check=False)
        finally:
            self.compiler.forget(folder)
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            first = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise RequestFailed((first or ["the compiler failed"])[0].replace(os.path.dirname(copy) + "/", ""))
        return text.replace(os.path.dirname(copy) + "/", "")

    async def tool(self, name, uri):
        """Runs the saved file with a tool; its findings become diagnostics. The answer is what it printed as JSON, or its findings' number."""
        path, texts = path_of(uri), self.texts()
        file = await self.fresh(uri)
        run = {"race": runs.races, "profile": runs.profile, "prove": runs.proofs}[name]
        try:
            made = await asyncio.to_thread(run, path, flags_of(path, []), self.settings["arguments"], texts)
        except asyncio.CancelledError:      # by the editor, or at the end
            runs.end(path)
            raise
        except runs.Failed as failure:
            raise RequestFailed("cilkc %s: %s" % (name, failure))
        summary, found = made if isinstance(made, tuple) else ({"races": sum(map(len, made.values()))}, made)
        file.found[name] = [one for where, many in found.items() if os.path.realpath(where) == os.path.realpath(path)
                            for one in many]
        self.publish(uri, file)
        if name == "prove":
            file.proof = summary
            self.workspace_inlay_hint_refresh(None)
        return summary


def make():
    server = Server()
    follow_documents(server.feature)
    answer_about_names(server.feature)
    answer_about_text(server.feature)
    register_commands(server.command)
    return server


def follow_documents(feature):
    """Settings, and what becomes of open documents."""

    @feature(types.INITIALIZE)
    def initialize(ls, params):
        if isinstance(params.initialization_options, dict):
            ls.configure(params.initialization_options)

    @feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(ls, params):
        given = params.settings
        if isinstance(given, dict):
            ls.configure(given.get("cilkc", given))
        for uri in list(ls.documents):
            if uri in ls.files:
                ls.files[uri].version = None
            await ls.fresh(uri)

    @feature(types.SHUTDOWN)
    def shut_down(ls, *_):
        # pygls cancels what is not answered while it walks over these, and the answer takes one of them away.
        for number, future in list(ls.protocol._request_futures.items()):
            if number != ls.protocol.msg_id:
                future.cancel()

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls, params):
        ls.files[params.text_document.uri] = File()
        await ls.fresh(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls, params):
        await ls.after_change(params.text_document.uri, params.text_document.version)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls, params):
        ls.files.pop(params.text_document.uri, None)
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls, params):
        uri = params.text_document.uri
        for other in list(ls.documents):     # they may include it
            if other != uri and other in ls.files:
                ls.files[other].version = None
                await ls.fresh(other)
        for name in ("race", "profile", "prove"):
            if ls.settings[name + "OnSave"]:
                try:
                    await ls.tool(name, uri)
                except RequestFailed as failure:
                    ls.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(failure.message)))


def answer_about_names(feature):
    """What a name at a place means, where else it is, another name for it."""

    @feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls, params):
        index, text = await ls.index(params.text_document.uri)
        return answers.hover(index, text, params.position, runs.Measures(index.path), ls.texts())

    @feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def signature(ls, params):
        index, text = await ls.index(params.text_document.uri)
        return editing.signature(index, text, params.position, ls.texts())

    @feature(types.WORKSPACE_SYMBOL)
    async def symbols(ls, params):
        return editing.workspace_symbols(await ls.indexes(), ls.texts(), params.query)

    @feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls, params):
        index, text = await ls.index(params.text_document.uri)
        return answers.definition(index, text, params.position, ls.texts())

    @feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(ls, params):
        index, text = await ls.index(params.text_document.uri)
        return answers.highlights(index, text, params.position)

    @feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls, params):
        index, text = await ls.index(params.text_document.uri)
        symbol = index.symbol_at(*text.byte_place(params.position))
        if symbol is None:
            return None
        texts, made = ls.texts(), []
        for other, one in await ls.everywhere(index, symbol):
            made += [place for place in answers.references(other, one, texts, params.context.include_declaration)
                     if place not in made]
        return made

    @feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(ls, params):
        index, text = await ls.index(params.text_document.uri)
        use = index.use_at(*text.byte_place(params.position))
        try:
            answers.may_rename(index, index.symbols[use[5]] if use else None, None, ls.texts())
        except answers.Refused as refused:
            raise RequestFailed(str(refused))
        return text.range(use[:5])

    @feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls, params):
        index, text = await ls.index(params.text_document.uri)
        symbol, texts, changes = index.symbol_at(*text.byte_place(params.position)), ls.texts(), {}
        try:
            answers.may_rename(index, symbol, params.new_name, texts)
            for other, one in await ls.everywhere(index, symbol):
                answers.may_rename(other, one, params.new_name, texts)
                editing.collision(other, one, params.new_name)
                places = [(other.files[use[0]], use[:5]) for use in other.uses_of(one)]
                places += [(other.files[place[0]], place)
                           for place in answers.leftover_uses(other, one, texts(other.path))]
                for name, place in places:
                    edits = changes.setdefault(uri_of(name), [])
                    edit = types.TextEdit(texts(name).range(place), params.new_name)
                    if edit not in edits:
                        edits.append(edit)
        except answers.Refused as refused:
            raise RequestFailed(str(refused))
        return types.WorkspaceEdit(changes=changes)


def answer_about_text(feature):
    """Fixes, completions, and views of a whole document."""

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]))
    def code_action(ls, params):
        return answers.code_actions(params.text_document.uri, params.context.diagnostics)

    @feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", ">"]))
    async def completion(ls, params):
        uri = params.text_document.uri
        text, path = Text(ls.text(uri)), path_of(uri)
        changed = answers.with_placeholder(text, params.position)
        if changed is not None:
            result = await asyncio.to_thread(ls.compiler.analyse, path, changed, ls.others(uri), ls.settings["flags"])
            return types.CompletionList(
                False, answers.members(Index(path, result.index), result.messages, text.before(params.position))
            )
        index, text = await ls.index(uri)
        return types.CompletionList(False, answers.completions(index, text, params.position, path.endswith(SUFFIXES)))

    @feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(ls, params):
        return answers.outline(*await ls.index(params.text_document.uri))

    @feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls, params):
        return editing.folds(Text(ls.text(params.text_document.uri)))

    async def reformat(ls, params, lines=None):
        uri = params.text_document.uri
        try:
            return await asyncio.to_thread(editing.formatted, path_of(uri), Text(ls.text(uri)), lines)
        except (answers.Refused, OSError, subprocess.SubprocessError) as error:
            raise RequestFailed(str(error))

    @feature(types.TEXT_DOCUMENT_FORMATTING)
    async def format_all(ls, params):
        return await reformat(ls, params)

    @feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def format_range(ls, params):
        last = params.range.end.line + (params.range.end.character > 0 or params.range.end == params.range.start)
        return await reformat(ls, params, (params.range.start.line + 1, max(last, params.range.start.line + 1)))

    @feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, answers.LEGEND)
    async def tokens(ls, params):
        return answers.semantic_tokens(*await ls.index(params.text_document.uri))

    @feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(ls, params):
        index, text = await ls.index(params.text_document.uri)
        rows = params.range.start.line, params.range.end.line
        proof = ls.files[params.text_document.uri].proof
        return answers.parallel_hints(index, text, *rows) + answers.ticks(index.path, proof, text, *rows)


def register_commands(register_command):
    """The stages of the compiler, and the tools that run the program."""
    for name in STAGES:
        def show(ls, uri, name=name):
            return ls.stage(name, uri)
        register_command(name)(asynchronous(show))
    for name in ("race", "profile", "prove"):
        def examine(ls, uri, name=name):
            return ls.tool(name, uri)
        register_command("cilkc." + name)(asynchronous(examine))


def asynchronous(make_task):
    async def run(ls, uri: str):
        return await make_task(ls, uri)
    return run
