// A library for LD_PRELOAD. Makes one of a program's calls that write to files fail.
//
//   FAULT_FOLDER  only calls for files below this folder count
//   FAULT_AT      the number of the call that fails, from 1
//   FAULT_KIND    an errno; 0: kills the process before the call; -1: writes half of the data, then kills the process
//   FAULT_STAYS   if set, all later calls fail as well
//   FAULT_MARK    a file that is created when the fault happens
//   FAULT_RENAMES if set, only calls of rename() count; otherwise only the other calls
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int calls;

/// Returns 1 and sets errno if this call must fail. Sets `half` if the call must write half of its data. May kill the process.
static int fault_at(const char *path, int *half) {
  const char *folder = getenv("FAULT_FOLDER"), *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
  if (!folder || !at || !kind) return 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  int number = ++calls;
  if (number != atoi(at) && !(getenv("FAULT_STAYS") && number > atoi(at))) return 0;
  const char *mark = getenv("FAULT_MARK");
  if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
  int error = atoi(kind);
  if (error == 0) kill(getpid(), SIGKILL);
  if (error == -1) {
    *half = 1;
    return 0;
  }
  errno = error;
  return 1;
}

static int fault(int fd, int *half) {
  if (getenv("FAULT_RENAMES")) return 0;
  char link[64], path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return 0;
  path[length] = 0;
  return fault_at(path, half);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRITE_BY_HALF(call) \
  if (half) { \
    call; \
    kill(getpid(), SIGKILL); \
  }

ssize_t write(int fd, const void *bytes, size_t count) {
  NEXT(write);
  int half = 0;
  if (fault(fd, &half)) return -1;
  WRITE_BY_HALF(next(fd, bytes, count / 2))
  return next(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  int half = 0;
  if (fault(fd, &half)) return -1;
  WRITE_BY_HALF(next(fd, bytes, count / 2, offset))
  return next(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  int half = 0;
  if (fault(fd, &half)) return -1;
  WRITE_BY_HALF(next(fd, bytes, count / 2, offset))
  return next(fd, bytes, count, offset);
}

#define WITHOUT_BYTES(name, parameters, arguments) \
  int name parameters { \
    NEXT(name); \
    int half = 0; \
    if (fault(fd, &half)) return -1; \
    WRITE_BY_HALF((void)0) \
    return next arguments; \
  }

WITHOUT_BYTES(fsync, (int fd), (fd))
WITHOUT_BYTES(fdatasync, (int fd), (fd))
WITHOUT_BYTES(ftruncate, (int fd, off_t size), (fd, size))
WITHOUT_BYTES(ftruncate64, (int fd, off64_t size), (fd, size))

int rename(const char *old, const char *new) {
  NEXT(rename);
  int half = 0;
  if (getenv("FAULT_RENAMES") && fault_at(old, &half)) return -1;
  return next(old, new);
}
