"""The commands of `cilkc`: what the user sees of the compiler driver and of the tools."""
