// zig build run: a C program that calls a library of Cilk with a runtime of its own, which cilkc makes.
const std = @import("std");

pub fn build(b: *std.Build) void {
    const compile = b.addSystemCommand(&.{ "cilkc", "-O2", "-fPIC", "-shared", "--own-runtime" });
    compile.addFileArg(b.path("queens.cilk"));
    compile.addArg("-o");
    const library = compile.addOutputFileArg("libqueens.so");

    const module = b.createModule(.{
        .target = b.standardTargetOptions(.{}),
        .optimize = b.standardOptimizeOption(.{}),
        .link_libc = true,
    });
    module.addCSourceFile(.{ .file = b.path("main.c") });
    module.addObjectFile(library);
    const program = b.addExecutable(.{ .name = "c", .root_module = module });
    b.step("run", "run it").dependOn(&b.addRunArtifact(program).step);
    b.installArtifact(program);
}
