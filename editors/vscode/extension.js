// extension.js - the Visual Studio Code client of `cilkc lsp`: starts the server, shows what its commands answer.
"use strict";
const vscode = require("vscode");
const {LanguageClient, TransportKind} = require("vscode-languageclient/node");

const SHOWN = {"cilkc.showElision": ["cilkc.elide", "c"], "cilkc.showClones": ["cilkc.clones", "c"]};
let client;

function settings() {
  const set = vscode.workspace.getConfiguration("cilkc");
  return {
    flags: set.get("flags"),
    arguments: set.get("arguments"),
    raceOnSave: set.get("raceOnSave"),
    profileOnSave: set.get("profileOnSave"),
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
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  if (!client) {
    vscode.window.showErrorMessage(`Cilk: ${vscode.workspace.isTrusted ? "the language server does not run" : "nothing is run in a folder that is not trusted"}.`);
    return undefined;
  }
  try {
    return await client.sendRequest("workspace/executeCommand", {command, arguments: [editor.document.uri.toString()]});
  } catch (error) {
    vscode.window.showErrorMessage(`Cilk: ${error.message}`);
    return undefined;
  }
}

async function show(command, language) {
  const content = await ask(command);
  if (content !== undefined) {
    const document = await vscode.workspace.openTextDocument({content, language});
    await vscode.window.showTextDocument(document, {viewColumn: vscode.ViewColumn.Beside, preview: true});
  }
}

async function examine(command, words) {
  const document = vscode.window.activeTextEditor && vscode.window.activeTextEditor.document;
  if (document && document.isDirty) await document.save();
  const found = await vscode.window.withProgress({location: vscode.ProgressLocation.Window, title: "cilkc"}, () => ask(command));
  if (found !== undefined) vscode.window.showInformationMessage(words(found));
}

async function activate(context) {
  const add = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  for (const [name, [command, language]] of Object.entries(SHOWN)) add(name, () => show(command, language));
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
