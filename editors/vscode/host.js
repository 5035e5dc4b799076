// host.js - runs the bundled extension without an editor: as much of Visual Studio Code's API as it and vscode-languageclient use, the rest by a stand-in
// that answers every call with itself. Opens FILE and prints JSON: the diagnostics, a hover of the first spawned procedure, and what the commands showed.
//
//     CILKC=path node host.js FILE                     UNTRUSTED=1: as in a folder that the user does not trust
"use strict";
const fs = require("fs");
const Module = require("module");
const path = require("path");

const standIn = new Proxy(class {}, {
  get: (target, name) => name === Symbol.toPrimitive ? () => "" : name === "then" ? undefined : name === "prototype" ? target.prototype : standIn,
  apply: () => standIn,
  construct: () => ({dispose() {}}),
});
const withRest = (own) => new Proxy(own, {get: (target, name) => name in target ? target[name] : name === "then" ? undefined : standIn});
const event = () => ({dispose() {}});

class Position { constructor(line, character) { Object.assign(this, {line, character}); } }
class Range {
  constructor(a, b, c, d) {
    this.start = typeof a === "number" ? new Position(a, b) : a;
    this.end = typeof a === "number" ? new Position(c, d) : b;
  }
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, {range, message, severity}); } }
class Location { constructor(uri, range) { Object.assign(this, {uri, range}); } }
class Related { constructor(location, message) { Object.assign(this, {location, message}); } }
class Emitter { constructor() { this.event = event; } fire() {} dispose() {} }
class Hover { constructor(contents, range) { Object.assign(this, {contents, range}); } }
class MarkdownString { constructor(value) { this.value = value || ""; } appendMarkdown(text) { this.value += text; return this; } appendCodeblock(text) { this.value += text; } }
class Uri {
  constructor(file) { Object.assign(this, {scheme: "file", path: file, fsPath: file, authority: "", query: "", fragment: ""}); }
  static parse(text) { return new Uri(decodeURIComponent(text.replace("file://", ""))); }
  static file(name) { return new Uri(name); }
  static from(parts) { return Object.assign(new Uri(parts.path), parts); }
  toString() { return this.scheme + "://" + encodeURI(this.path); }
}
class CancellationTokenSource { constructor() { this.token = {isCancellationRequested: false, onCancellationRequested: event}; } cancel() {} dispose() {} }

const file = path.resolve(process.argv[2]);
const text = fs.readFileSync(file, "utf8");
const document = {
  uri: Uri.file(file), fileName: file, languageId: "cilk", version: 1, isDirty: false, isClosed: false, isUntitled: false, eol: 1,
  lineCount: text.split("\n").length, getText: () => text, save: async () => true,
};
const found = {diagnostics: {}, shown: [], said: [], errors: [], commands: [], adapters: {}};
const commands = {}, hovers = [], providers = {}, adapters = {};
const settings = {path: process.env.CILKC, flags: ["-Wall"], arguments: [], openCilk: false, raceOnSave: false, profileOnSave: false, proveOnSave: false};

const vscode = withRest({
  version: "1.91.0", Position, Range, Diagnostic, Location, DiagnosticRelatedInformation: Related, EventEmitter: Emitter, Hover, MarkdownString, Uri, CancellationTokenSource,
  DiagnosticSeverity: {Error: 0, Warning: 1, Information: 2, Hint: 3}, DiagnosticTag: {Unnecessary: 1, Deprecated: 2}, ViewColumn: {Beside: -2}, ProgressLocation: {Window: 10},
  Disposable: class { constructor(end) { this.dispose = end || (() => {}); } static from() { return {dispose() {}}; } },
  env: withRest({appName: "host", language: "en"}),
  workspace: withRest({
    isTrusted: process.env.UNTRUSTED === undefined, textDocuments: [document], workspaceFolders: undefined, notebookDocuments: [],
    getConfiguration: () => withRest({get: (name, otherwise) => name in settings ? settings[name] : otherwise}),
    openTextDocument: async (uri) => { found.shown.push(providers[uri.scheme].provideTextDocumentContent(uri)); return uri; },
    registerTextDocumentContentProvider: (scheme, provider) => { providers[scheme] = provider; return {dispose() {}}; },
    onDidOpenTextDocument: event, onDidChangeTextDocument: event, onDidCloseTextDocument: event, onDidSaveTextDocument: event, onDidChangeConfiguration: event,
    onWillSaveTextDocument: event, onDidChangeWorkspaceFolders: event, createFileSystemWatcher: () => ({dispose() {}}),
  }),
  window: withRest({
    activeTextEditor: {document}, visibleTextEditors: [{document}], tabGroups: {all: [], onDidChangeTabs: event}, onDidChangeActiveTextEditor: event,
    createOutputChannel: () => ({appendLine() {}, append() {}, show() {}, dispose() {}, name: "Cilk"}),
    showErrorMessage: async (words) => { found.errors.push(words); }, showInformationMessage: async (words) => { found.said.push(words); },
    showTextDocument: async () => {}, withProgress: (options, run) => run({report() {}}, {isCancellationRequested: false, onCancellationRequested: event}),
  }),
  languages: withRest({
    match: () => 10,
    createDiagnosticCollection: () => ({
      set(uri, many) {
        found.diagnostics[uri.path] = many.map((one) => ({line: one.range.start.line, character: one.range.start.character, message: one.message, source: one.source}));
      },
      delete() {}, clear() {}, dispose() {}, get() {}, has() { return false; },
    }),
    registerHoverProvider: (selector, provider) => { hovers.push(provider); return {dispose() {}}; },
  }),
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, {command, args}); } },
  debug: withRest({registerDebugAdapterDescriptorFactory: (type, factory) => { adapters[type] = factory; return {dispose() {}}; }}),
  commands: withRest({registerCommand: (name, run) => { commands[name] = run; return {dispose() {}}; }, executeCommand: async () => {}}),
});

const load = Module._load;
Module._load = function (name, ...rest) { return name === "vscode" ? vscode : load.call(this, name, ...rest); };
const until = async (holds) => { for (let i = 0; i < 600 && !holds(); i++) await new Promise((go) => setTimeout(go, 50)); };

async function main() {
  const extension = require("./dist/extension.js");
  await extension.activate({subscriptions: [], extensionPath: __dirname});
  if (vscode.workspace.isTrusted) await until(() => found.diagnostics[file]);
  const line = text.split("\n").findIndex((words) => /\bspawn\s+\w/.test(words));
  const token = new CancellationTokenSource().token;
  if (line >= 0 && hovers.length) {
    const at = new Position(line, text.split("\n")[line].search(/\bspawn\s+\w/) + 6);
    const hover = await hovers[0].provideHover(document, at, token);
    found.hover = hover && [].concat(hover.contents).map((one) => one.value || one).join("\n");
  }
  found.commands = Object.keys(commands).filter((name) => name.startsWith("cilkc.")).sort();
  for (const name of ["cilkc.showElision", "cilkc.showClones", "cilkc.findRaces"]) await commands[name]();
  for (const type in adapters) {
    try { found.adapters[type] = adapters[type].createDebugAdapterDescriptor(); }
    catch (error) { found.adapters[type] = error.message; }
  }
  await extension.deactivate();
  process.stdout.write(JSON.stringify(found), () => process.exit(0));
}

main().catch((error) => { console.error(error.stack); process.exit(1); });
