# Spack's package, for the folder of cilkc in the packages of a repository of one's own.
from spack.package import *


class Cilkc(Package):
    """@SUMMARY@"""

    homepage = "@HOMEPAGE@"
    url = "@URL@"

    license("@LICENCE@")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("c", type=("build", "run"))
    depends_on("python@3.9:", type="run")

    requires("target=x86_64: platform=linux", msg="the package is made for x86-64 under Linux")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def compile_and_run(self):
        with working_dir("spack-test", create=True):
            sample = join_path(self.prefix.share.doc.cilkc.samples, "fib.cilk")
            Executable(join_path(self.prefix.bin, "cilkc"))("-O2", sample, "-o", "fib")
            Executable("./fib")("--nproc", "2", "20")
