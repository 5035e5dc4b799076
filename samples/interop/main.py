"""python3 main.py LIBRARY: calls a library of Cilk procedures by ctypes."""
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.queens.restype = ctypes.c_long
print(library.queens(8))
