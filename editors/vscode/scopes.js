// scopes.js - prints the TextMate scopes of a text, by the engine that Visual Studio Code has: [[line, begin, end, scope], ..] as JSON.
//
//     node scopes.js cilk < text
"use strict";
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function main(name) {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({createOnigScanner: (words) => new oniguruma.OnigScanner(words), createOnigString: (text) => new oniguruma.OnigString(text)}),
    loadGrammar: async (scope) => {
      const file = path.join(__dirname, "syntaxes", scope.replace("source.", "") + ".tmLanguage.json");
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  const grammar = await registry.loadGrammar("source." + name);
  const found = [];
  let state = textmate.INITIAL;
  fs.readFileSync(0, "utf8").split("\n").forEach((line, number) => {
    const made = grammar.tokenizeLine(line, state);
    state = made.ruleStack;
    for (const token of made.tokens) found.push([number, token.startIndex, token.endIndex, token.scopes[token.scopes.length - 1]]);
  });
  process.stdout.write(JSON.stringify(found));
}

main(process.argv[2]).catch((error) => { console.error(String(error.stack)); process.exit(1); });
