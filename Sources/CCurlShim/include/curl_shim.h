// libcurl's functions with variable arguments, as typed functions: Swift cannot import them.
#ifndef TRUNK_CURL_SHIM_H
#define TRUNK_CURL_SHIM_H

#include <curl/curl.h>
#include <stdbool.h>

static inline CURLcode trunk_curl_set_number(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}

/// Aborts the transfer if the connection can't be encrypted. Written in C because Swift imports libcurl 8's constant as
/// another type.
static inline CURLcode trunk_curl_require_tls(CURL *curl) {
  return curl_easy_setopt(curl, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
}

/// The text is copied.
static inline CURLcode trunk_curl_set_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}

/// For data pointers: not copied, must outlive the transfer.
static inline CURLcode trunk_curl_set_pointer(CURL *curl, CURLoption option, void *value) {
  return curl_easy_setopt(curl, option, value);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode trunk_curl_set_receiver(CURL *curl, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(curl, option, value);
}

/// Makes the request a POST with these bytes, which are copied.
CURLcode trunk_curl_set_body(CURL *curl, const void *bytes, size_t count);

/// The status of the last response; 0 if there was none.
long trunk_curl_status(CURL *curl);

/// OpenSSL's `X509_V_` result of the verification of the server's certificate.
long trunk_curl_certificate_result(CURL *curl);

/// The absolute URL to which the last response redirects; NULL without one. It is valid as long as the handle.
const char *trunk_curl_redirect_url(CURL *curl);

/// Whether any byte of the request was sent.
bool trunk_curl_was_sent(CURL *curl);

#endif
