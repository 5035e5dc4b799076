//! Makes the parser of grammar.js: `generate FOLDER OUT` reads FOLDER/grammar.js and writes OUT/parser.c.
//! Node.js runs the grammar.

use std::{env, path::Path, process::exit};

const INTERFACE: usize = 15;        // of parsers; tree-sitter.json says what this one asks for

fn main() {
    let words: Vec<String> = env::args().collect();
    if words.len() != 3 {
        eprintln!("usage: generate FOLDER OUT");
        exit(2);
    }
    let made = tree_sitter_generate::generate_parser_in_directory(
        Path::new(&words[1]), Some(&words[2]), None, INTERFACE, None, Some("node"));
    if let Err(error) = made {
        eprintln!("generate: {error}");
        exit(1);
    }
}
