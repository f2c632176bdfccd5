// Many clients at low cost: each sends a request on its persistent connection, waits for the complete response, and sends
// the next.
//
// usage: load PORT CLIENTS STATUS <REQUESTS
// Standard input contains all requests of the first client, then those of the second, and so on. Each request is its length
// (four bytes in the order of this machine), followed by its bytes. Prints the seconds from the first request to the last
// response. Fails if a response has another status.
#include <arpa/inet.h>
#include <err.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct client {
  size_t next;    // the index of its next request
  size_t filled;  // the bytes received so far
  char response[8192];
};

struct request {
  uint32_t length;
  char *bytes;
};

static struct request *requests;
static size_t count;

static void read_requests(void) {
  uint32_t length;
  size_t room = 0;
  while (fread(&length, sizeof length, 1, stdin) == 1) {
    if (count == room && !(requests = realloc(requests, (room = room * 2 + 64) * sizeof *requests))) err(1, "requests");
    char *bytes = malloc(length);
    if (!bytes || fread(bytes, 1, length, stdin) != length) errx(1, "a request is cut off");
    requests[count++] = (struct request){length, bytes};
  }
}

static int connection(int port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int file = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address)) err(1, "connect");
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return file;
}

static void send_request(int file, const struct request *request) {
  // The socket's buffer is empty and far larger than a request, so a single write is enough.
  if (write(file, request->bytes, request->length) != (ssize_t)request->length) err(1, "write");
}

// Reads once, and returns whether the response is complete.
static int has_response(int file, struct client *client, const char *status) {
  ssize_t size = read(file, client->response + client->filled, sizeof client->response - 1 - client->filled);
  if (size <= 0) err(1, "read");
  client->filled += (size_t)size;
  client->response[client->filled] = 0;
  char *body = strstr(client->response, "\r\n\r\n");
  if (!body) return 0;
  if (strncmp(client->response + 9, status, 3)) errx(1, "%s", client->response);
  char *length = strcasestr(client->response, "\r\nContent-Length:");
  if (!length) errx(1, "a response without a length");
  return client->filled >= (size_t)(body + 4 - client->response) + strtoul(length + 17, NULL, 10);
}

int main(int argc, char **argv) {
  if (argc != 4) errx(2, "usage: load PORT CLIENTS STATUS <REQUESTS");
  read_requests();
  size_t clients = strtoul(argv[2], NULL, 10);
  if (!clients || count == 0 || count % clients) errx(2, "%zu requests can't be shared equally", count);
  size_t share = count / clients, left = count;
  struct client *states = calloc(clients, sizeof *states);
  struct pollfd *files = calloc(clients, sizeof *files);
  if (!states || !files) err(1, "clients");
  for (size_t i = 0; i < clients; i++) files[i] = (struct pollfd){connection(atoi(argv[1])), POLLIN, 0};

  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (size_t i = 0; i < clients; i++) send_request(files[i].fd, &requests[i * share + states[i].next++]);
  while (left > 0) {
    if (poll(files, clients, -1) < 0) err(1, "poll");
    for (size_t i = 0; i < clients; i++) {
      if (!files[i].revents || !has_response(files[i].fd, &states[i], argv[3])) continue;
      left--;
      states[i].filled = 0;
      if (states[i].next < share) send_request(files[i].fd, &requests[i * share + states[i].next++]);
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%f\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
  return 0;
}
