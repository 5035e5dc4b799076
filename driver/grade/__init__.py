"""`cilkc grade`: compiles and runs submissions in a sandbox, and gives points."""
