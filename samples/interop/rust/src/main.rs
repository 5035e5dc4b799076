use std::os::raw::{c_int, c_long};

extern "C" {
    fn queens(n: c_int) -> c_long;
}

fn main() {
    println!("{}", unsafe { queens(8) });
}
