"""An editor for the tests of `cilkc lsp`: pygls' client, with a loop of its own, so that tests stay plain functions."""

import asyncio
import os

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from conftest import CILKC

TIMEOUT = int(os.environ.get("CILKC_TEST_PATIENCE", "300"))


class Editor:
    def __init__(self, folder, **settings):
        self.folder, self.loop = folder, asyncio.new_event_loop()
        self.client = LanguageClient("test", "1")
        self.published, self.versions, self.log = {}, {}, []
        self.news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params):
            self.published[params.uri] = params
            self.news.set()

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def log(params):
            self.log.append(params.message)

        async def start():
            await self.client.start_io(str(CILKC), "lsp")
            made = await self.client.initialize_async(types.InitializeParams(
                types.ClientCapabilities(), root_uri=folder.as_uri(), initialization_options=settings or None))
            self.client.initialized(types.InitializedParams())
            return made
        self.server = self.run(start())

    def run(self, task):
        return self.loop.run_until_complete(asyncio.wait_for(task, TIMEOUT))

    def close(self):
        async def end():
            await self.client.shutdown_async(None)
            self.client.exit(None)
            await self.client.stop()
        self.run(end())
        self.loop.close()

    # ---- texts
    def open(self, name, text, save=True):
        path = self.folder / name
        if save:
            path.write_text(text)
        uri = path.as_uri()
        if uri in self.versions:
            self.end(uri)
        self.versions[uri] = self.versions.get(uri, 0) + 1
        self.published.pop(uri, None)
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.C, self.versions[uri], text))
        )
        return uri

    def change(self, uri, text):
        self.versions[uri] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self.versions[uri], uri),
            [types.TextDocumentContentChangeWholeDocument(text)],
        ))

    def end(self, uri):
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def configure(self, **settings):
        self.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"cilkc": settings}))

    def save(self, uri):
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def messages(self, uri, until=lambda found: True, **other):
        """The diagnostics of the text's newest version (or of `version`), once `until` holds for them."""
        version = other.get("version", self.versions[uri])

        async def wait():
            while True:
                made = self.published.get(uri)
                if made and made.version == version and until(made.diagnostics):
                    return made.diagnostics
                self.news.clear()
                await self.news.wait()
        return self.run(wait())

    # ---- requests
    def at(self, kind, uri, line, character, **more):
        return kind(text_document=types.TextDocumentIdentifier(uri), position=types.Position(line, character), **more)

    def hover(self, uri, line, character):
        made = self.run(self.client.text_document_hover_async(self.at(types.HoverParams, uri, line, character)))
        return made.contents.value if made else None

    def definition(self, uri, line, character):
        return self.run(
            self.client.text_document_definition_async(self.at(types.DefinitionParams, uri, line, character))
        )

    def references(self, uri, line, character, declared=True):
        return self.run(self.client.text_document_references_async(
            self.at(types.ReferenceParams, uri, line, character, context=types.ReferenceContext(declared))
        ))

    def rename(self, uri, line, character, new):
        return self.run(
            self.client.text_document_rename_async(self.at(types.RenameParams, uri, line, character, new_name=new))
        )

    def complete(self, uri, line, character):
        made = self.run(
            self.client.text_document_completion_async(self.at(types.CompletionParams, uri, line, character))
        )
        return {item.label: item for item in made.items}

    def document(self, request, kind, uri, **more):
        return self.run(request(kind(text_document=types.TextDocumentIdentifier(uri), **more)))

    def execute(self, name, uri):
        return self.run(self.client.workspace_execute_command_async(types.ExecuteCommandParams(name, [uri])))


def apply_edits(text, edits):
    """A text after edits of UTF-16 places."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        first, last = lines[start.line].encode("utf-16-le"), lines[end.line].encode("utf-16-le")
        joined = first[:2 * start.character] + edit.new_text.encode("utf-16-le") + last[2 * end.character:]
        lines[start.line:end.line + 1] = [joined.decode("utf-16-le")]
    return "\n".join(lines)


def place(text, words, offset=0):
    """(line, character) of the first occurrence of some words, in UTF-16 units."""
    at = text.index(words) + offset
    before = text[:at]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
