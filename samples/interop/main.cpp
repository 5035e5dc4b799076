#include <iostream>

extern "C" long queens(int n);

int main() {
    std::cout << queens(8) << "\n";
}
