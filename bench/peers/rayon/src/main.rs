//! The peers in Rayon: `peers fib|nqueens|cilksort|matmul|sum N`. Threads: RAYON_NUM_THREADS.
//! The algorithms are those of bench/programs and samples, with `rayon::join` for two spawns and a sync.
mod matmul;
mod sort;

use rayon::prelude::*;
use std::time::Instant;

fn fib(n: i32) -> i64 {
    if n < 2 {
        return n as i64;
    }
    let (x, y) = rayon::join(|| fib(n - 1), || fib(n - 2));
    x + y
}

/// Free squares of a row, lowest bit first.
fn squares(mut open: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = open & open.wrapping_neg();
        open ^= square;
        (square != 0).then_some(square)
    })
}

fn place(all: u32, columns: u32, left: u32, right: u32) -> i64 {
    if columns == all {
        return 1;
    }
    let mut list = [0u32; 16];
    let mut count = 0;
    for square in squares(all & !(columns | left | right)) {
        list[count] = square;
        count += 1;
    }
    list[..count]
        .par_iter()
        .with_max_len(1)
        .map(|&square| place(all, columns | square, (left | square) << 1, (right | square) >> 1))
        .sum()
}

fn total(n: usize) -> u64 {
    (0..n as u32).into_par_iter().map(|i| u64::from(i.wrapping_mul(2654435761) >> 20)).sum()
}

/// Runs the body on a worker of the pool and prints how long it took.
fn timed<R: Send>(body: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| {
        let begin = Instant::now();
        let result = body();
        eprintln!("time: {:.6} s", begin.elapsed().as_secs_f64());
        result
    })
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let n: usize = match words.get(2).map(|w| w.parse()) {
        Some(Ok(n)) => n,
        _ => {
            eprintln!("usage: peers fib|nqueens|cilksort|matmul|sum N");
            std::process::exit(2);
        }
    };
    match words[1].as_str() {
        "fib" => println!("fib({n}) = {}", timed(|| fib(n as i32))),
        "nqueens" => println!("{n} queens: {} solutions", timed(|| place((1u32 << n) - 1, 0, 0, 0))),
        "cilksort" => {
            let mut array = sort::random_numbers(n);
            let mut spare = vec![0; n];
            timed(|| sort::sort(&mut array, &mut spare));
            println!("{n} numbers sorted: {} .. {} .. {}", array[0], array[n / 2], array[n - 1]);
            if array.windows(2).any(|pair| pair[0] > pair[1]) {
                std::process::exit(1);
            }
        }
        "matmul" => {
            let (a, b) = (matmul::fill(n * n, 1), matmul::fill(n * n, 2));
            let mut c = vec![0.0; n * n];
            timed(|| matmul::product(&a, &b, &mut c, n));
            let trace: f64 = (0..n).map(|i| c[i * n + i]).sum();
            println!("({n} x {n}) times ({n} x {n}), trace {trace:.0}");
        }
        "sum" => {
            let first = total(n / 100);
            println!("{first} {}", timed(|| total(n)));
        }
        other => {
            eprintln!("no peer is called '{other}'");
            std::process::exit(2);
        }
    }
}
