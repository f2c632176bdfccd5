#include <sys/timerfd.h>

#include "shim.h"

int trunk_timer_new(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

void trunk_timer_set(int timer, int64_t milliseconds) {
  struct itimerspec time = {0};
  // A time of 0 would disarm the timer.
  time.it_value.tv_sec = milliseconds < 1000 ? 1 : milliseconds / 1000;
  time.it_value.tv_nsec = (milliseconds % 1000) * 1000000;
  timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}
