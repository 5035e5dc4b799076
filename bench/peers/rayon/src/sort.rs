//! Merge sort with parallel merging, as samples/cilksort.cilk has it, on slices.

const SORT_SERIALLY: usize = 2048;
const MERGE_SERIALLY: usize = 2048;
const INSERT: usize = 16;

pub fn random_numbers(n: usize) -> Vec<i64> {
    let mut random: u64 = 1;
    (0..n)
        .map(|_| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as i64 % (4 * n as i64)
        })
        .collect()
}

fn insertion_sort(a: &mut [i64]) {
    for q in 1..a.len() {
        let value = a[q];
        let mut p = q;
        while p > 0 && a[p - 1] > value {
            a[p] = a[p - 1];
            p -= 1;
        }
        a[p] = value;
    }
}

fn median(a: i64, b: i64, c: i64) -> i64 {
    a.max(b).min(a.min(b).max(c))
}

fn quicksort(mut a: &mut [i64]) {
    while a.len() > INSERT {
        let pivot = median(a[0], a[(a.len() - 1) / 2], a[a.len() - 1]);
        let (mut left, mut right) = (0, a.len() - 1);
        loop {
            while a[left] < pivot {
                left += 1;
            }
            while a[right] > pivot {
                right -= 1;
            }
            if left >= right {
                break;
            }
            a.swap(left, right);
            left += 1;
            right -= 1;
        }
        let (low, high) = a.split_at_mut(right + 1);
        if low.len() < high.len() {
            quicksort(low);
            a = high;
        } else {
            quicksort(high);
            a = low;
        }
    }
    insertion_sort(a);
}

fn merge_serially(mut one: &[i64], mut two: &[i64], to: &mut [i64]) {
    let mut k = 0;
    while let (Some(&x), Some(&y)) = (one.first(), two.first()) {
        if y < x {
            to[k] = y;
            two = &two[1..];
        } else {
            to[k] = x;
            one = &one[1..];
        }
        k += 1;
    }
    to[k..k + one.len()].copy_from_slice(one);
    to[k + one.len()..].copy_from_slice(two);
}

fn merge(one: &[i64], two: &[i64], to: &mut [i64]) {
    let (one, two) = if one.len() < two.len() { (two, one) } else { (one, two) };
    if two.is_empty() {
        to.copy_from_slice(one);
        return;
    }
    if one.len() <= MERGE_SERIALLY {
        merge_serially(one, two, to);
        return;
    }
    let split1 = (one.len() - 1) / 2;
    let split2 = two.partition_point(|&x| x <= one[split1]);
    let (to1, to2) = to.split_at_mut(split1 + 1 + split2);
    rayon::join(
        || merge(&one[..=split1], &two[..split2], to1),
        || merge(&one[split1 + 1..], &two[split2..], to2),
    );
}

pub fn sort(array: &mut [i64], spare: &mut [i64]) {
    let n = array.len();
    if n <= SORT_SERIALLY {
        quicksort(array);
        return;
    }
    let quarter = n / 4;
    {
        let (ab, cd) = array.split_at_mut(2 * quarter);
        let (a, b) = ab.split_at_mut(quarter);
        let (c, d) = cd.split_at_mut(quarter);
        let (spare_ab, spare_cd) = spare.split_at_mut(2 * quarter);
        let (spare_a, spare_b) = spare_ab.split_at_mut(quarter);
        let (spare_c, spare_d) = spare_cd.split_at_mut(quarter);
        rayon::join(
            || rayon::join(|| sort(a, spare_a), || sort(b, spare_b)),
            || rayon::join(|| sort(c, spare_c), || sort(d, spare_d)),
        );
    }
    {
        let (ab, cd) = array.split_at(2 * quarter);
        let (a, b) = ab.split_at(quarter);
        let (c, d) = cd.split_at(quarter);
        let (to1, to2) = spare.split_at_mut(2 * quarter);
        rayon::join(|| merge(a, b, to1), || merge(c, d, to2));
    }
    let (one, two) = spare.split_at(2 * quarter);
    merge(one, two, array);
}
