/* `used FILE PROGRAM ARGS...` runs a program, and writes its user time in seconds and its largest resident set in KB into
 * the file. The kernel counts the starting process in, so this program is small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
    struct rusage usage;
    int status;
    pid_t child;
    FILE *file;

    if (argc < 3)
        return 2;
    child = fork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return 126;
    file = fopen(argv[1], "w");
    if (file == NULL)
        return 126;
    fprintf(file, "%ld.%06ld %ld\n", (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec, usage.ru_maxrss);
    if (fclose(file) != 0)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
