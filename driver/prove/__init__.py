"""`cilkc prove`: free of determinacy races on every input, or the input that shows one."""
