"""The tools: each builds the program with instrumentation, runs it, reads the report file that the run wrote, and shows
it."""
