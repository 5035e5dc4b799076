//! Product of two square matrices by halving the longest side, as samples/matmul.cilk has it.

const SMALL: usize = 48;

pub fn fill(size: usize, mut seed: u32) -> Vec<f64> {
    (0..size)
        .map(|_| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 24) as i32 as f64 - 128.0
        })
        .collect()
}

/// A part of the result; parts that run at the same time do not overlap.
#[derive(Clone, Copy)]
struct Part(*mut f64);
unsafe impl Send for Part {}
unsafe impl Sync for Part {}

impl Part {
    fn at(self, offset: usize) -> Part {
        Part(unsafe { self.0.add(offset) })
    }
}

/// c = a b, or c += a b, with a of m x n and b of n x p; ld is the row length of all three.
fn multiply(a: &[f64], b: &[f64], c: Part, ld: usize, m: usize, n: usize, p: usize, add: bool) {
    if m <= SMALL && n <= SMALL && p <= SMALL {
        for i in 0..m {
            let to = unsafe { std::slice::from_raw_parts_mut(c.at(i * ld).0, p) };
            if !add {
                to.fill(0.0);
            }
            for k in 0..n {
                let factor = a[i * ld + k];
                for (x, y) in to.iter_mut().zip(&b[k * ld..k * ld + p]) {
                    *x += factor * y;
                }
            }
        }
    } else if m >= n && m >= p {
        let half = m / 2;
        rayon::join(
            || multiply(a, b, c, ld, half, n, p, add),
            || multiply(&a[half * ld..], b, c.at(half * ld), ld, m - half, n, p, add),
        );
    } else if p >= n {
        let half = p / 2;
        rayon::join(
            || multiply(a, b, c, ld, m, n, half, add),
            || multiply(a, &b[half..], c.at(half), ld, m, n, p - half, add),
        );
    } else {
        let half = n / 2;
        multiply(a, b, c, ld, m, half, p, add);
        multiply(&a[half..], &b[half * ld..], c, ld, m, n - half, p, true);
    }
}

pub fn product(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    multiply(a, b, Part(c.as_mut_ptr()), n, n, n, n, false);
}
