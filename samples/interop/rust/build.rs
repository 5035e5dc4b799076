// Compiles ../queens.cilk and says how to link it: with the runtime's archive, -pthread and -lm.
use std::env;
use std::process::Command;

fn output(cilkc: &str, words: &[&str]) -> String {
    let done = Command::new(cilkc).args(words).output().expect("cilkc is not on the PATH; CILKC names it");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim().to_string()
}

fn main() {
    let cilkc = env::var("CILKC").unwrap_or("cilkc".to_string());
    let object = env::var("OUT_DIR").unwrap() + "/queens.o";
    output(&cilkc, &["-O2", "-fPIC", "-c", "../queens.cilk", "-o", &object]);
    println!("cargo:rerun-if-changed=../queens.cilk");
    println!("cargo:rerun-if-env-changed=CILKC");
    println!("cargo:rustc-link-arg={object}");
    println!("cargo:rustc-link-arg={}/libcilkrt.a", output(&cilkc, &["--print-runtime-dir"]));
    println!("cargo:rustc-link-arg=-lm");
}
