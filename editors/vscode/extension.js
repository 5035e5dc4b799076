// extension.js - the Visual Studio Code client of `cilkc lsp`: starts the server, shows what its commands answer.
"use strict";
const vscode = require("vscode");
const {LanguageClient, TransportKind} = require("vscode-languageclient/node");

const SHOWN = {"cilkc.showElision": "cilkc.elide", "cilkc.showClones": "cilkc.clones"};
const made = new Map();         // texts that are shown, by their names; they are read-only
const renewed = new vscode.EventEmitter();
let client, last;

// The Cilk file that is shown, or was before one of our own texts.
function current() {
  const editor = vscode.window.activeTextEditor;
  if (editor && editor.document.uri.scheme === "file" && ["cilk", "cilk1", "c"].includes(editor.document.languageId)) last = editor.document;
  return last && !last.isClosed ? last : undefined;
}

function settings() {
  const set = vscode.workspace.getConfiguration("cilkc");
  return {
    flags: set.get("flags"),
    arguments: set.get("arguments"),
    raceOnSave: set.get("raceOnSave"),
    profileOnSave: set.get("profileOnSave"),
    proveOnSave: set.get("proveOnSave"),
  };
}

async function start() {
  const set = vscode.workspace.getConfiguration("cilkc");
  const languages = ["cilk", "cilk1"].concat(set.get("openCilk") ? ["c"] : []);
  client = new LanguageClient("cilkc", "Cilk", {command: set.get("path"), args: ["lsp"], transport: TransportKind.stdio}, {
    documentSelector: languages.map((language) => ({scheme: "file", language})),
    initializationOptions: settings(),
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Cilk: '${set.get("path")} lsp' cannot be started (${error.message}). Set cilkc.path to the command cilkc.`);
  }
}

// The server's answer to a command about the file that is shown.
async function ask(command) {
  const document = current();
  if (!document) {
    vscode.window.showErrorMessage("Cilk: no Cilk file is shown.");
    return undefined;
  }
  if (!client) {
    vscode.window.showErrorMessage(`Cilk: ${vscode.workspace.isTrusted ? "the language server does not run" : "nothing is run in a folder that is not trusted"}.`);
    return undefined;
  }
  try {
    return await client.sendRequest("workspace/executeCommand", {command, arguments: [document.uri.toString()]});
  } catch (error) {
    vscode.window.showErrorMessage(`Cilk: ${error.message}`);
    return undefined;
  }
}

async function show(command) {
  const content = await ask(command);
  if (content !== undefined) {
    const uri = vscode.Uri.from({scheme: "cilkc", path: `${current().uri.path}.${command.split(".")[1]}.c`});
    made.set(uri.toString(), content);
    renewed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {viewColumn: vscode.ViewColumn.Beside, preview: true});
  }
}

async function examine(command, words) {
  const document = current();
  if (document && document.isDirty) await document.save();
  const found = await vscode.window.withProgress({location: vscode.ProgressLocation.Window, title: "cilkc"}, () => ask(command));
  if (found !== undefined) vscode.window.showInformationMessage(words(found));
}

async function activate(context) {
  const add = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  for (const [name, command] of Object.entries(SHOWN)) add(name, () => show(command));
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("cilk", {
    createDebugAdapterDescriptor: () => {
      if (!vscode.workspace.isTrusted) throw new Error("nothing is run in a folder that is not trusted");
      return new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration("cilkc").get("path"), ["dap"]);
    },
  }));
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider("cilk", {
    // F5 without a launch.json
    resolveDebugConfiguration: (folder, given) => given.type ? given : {type: "cilk", request: "launch", name: "Cilk", program: "${file}"},
  }));
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider("cilkc", {
    onDidChange: renewed.event, provideTextDocumentContent: (uri) => made.get(uri.toString()),
  }));
  add("cilkc.findRaces", () => examine("cilkc.race", (found) => found.races ? `${found.races} accesses are in determinacy races` : "no races"));
  add("cilkc.measure", () => examine("cilkc.profile", (found) => found.sentence));
  add("cilkc.restart", async () => { await deactivate(); if (vscode.workspace.isTrusted) await start(); });
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("cilkc") && client) client.sendNotification("workspace/didChangeConfiguration", {settings: {cilkc: settings()}});
  }));
  // Flags of a folder reach the compiler, so a folder that is not trusted has colours only.
  if (vscode.workspace.isTrusted) await start();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(start));
}

async function deactivate() {
  if (client) await client.stop();
  client = undefined;
}

module.exports = {activate, deactivate};
