#include "curl_shim.h"

CURLcode trunk_curl_set_body(CURL *curl, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_POST, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  // Without bytes, libcurl would read the body from standard input.
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
  return code;
}

long trunk_curl_status(CURL *curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

long trunk_curl_certificate_result(CURL *curl) {
  long result = 0;
  curl_easy_getinfo(curl, CURLINFO_SSL_VERIFYRESULT, &result);
  return result;
}

const char *trunk_curl_redirect_url(CURL *curl) {
  char *url = NULL;
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &url);
  return url;
}

bool trunk_curl_was_sent(CURL *curl) {
  long bytes = 0;
  curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &bytes);
  return bytes > 0;
}
