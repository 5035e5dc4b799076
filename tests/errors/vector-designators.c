// gcc and clang take no designators for the elements of a vector.
typedef float floats __attribute__((vector_size(16)));
floats list = {1.5f, [2] = 2.5f};                                       // ERROR: designator-index
struct pair { floats first; int second; };
struct pair inner = {.first[1] = 1};                                    // ERROR: designator-index
floats rows[2] = {[1] = {1, 2}, [0][3] = 4};                            // ERROR: designator-index
struct pair whole = {.first = {1, 2}, .second = 3};
