# Homebrew's formula, for its Linux: `brew install ./cilkc.rb`.
class Cilkc < Formula
  desc "@SUMMARY@"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license all_of: [@LICENCES_RUBY@]

  depends_on "binutils"
  depends_on "gcc"
  depends_on :linux
  depends_on arch: :x86_64
  depends_on "python@3.13"

  def install
    prefix.install Dir["*"]
  end

  test do
    (testpath/"fib.cilk").write <<~CILK
      #include <stdio.h>
      cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
      cilk int main(void) { int r; r = spawn fib(20); sync; printf("%d\\n", r); return 0; }
    CILK
    system bin/"cilkc", "-O2", "fib.cilk", "-o", "fib"
    assert_equal "6765\n", shell_output("./fib --nproc 2")
  end
end
