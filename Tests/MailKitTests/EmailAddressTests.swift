import MailKit
import Testing

struct EmailAddressTests {
  @Test(arguments: [
    ("ada@example.org", "ada@example.org"), (" \u{A0}ada@example.org\r\n", "ada@example.org"),
    ("\u{FEFF}a\u{200B}da@exam\u{AD}ple\u{2060}.org\u{200E}", "ada@example.org"),
    ("\u{202A}ada@example.org\u{202C}", "ada@example.org"), ("Ada\u{FE0F}@example.org", "Ada@example.org"),
    ("a b@example.org", "a b@example.org"), ("a\n@example.org", "a\n@example.org"),
    ("a\u{202E}b@example.org", "a\u{202E}b@example.org"), ("\u{200B} ", ""), ("", ""),
    ("zoe\u{308}@example.org", "zoe\u{308}@example.org"),
  ])
  func invisibleCharactersAreRemoved(text: String, cleaned: String) {
    #expect(Array(EmailAddress.cleaned(text).utf8) == Array(cleaned.utf8))
  }

  @Test(arguments: [
    ("Ada@Example.ORG", "ada@example.org"), ("ada@GRÜN.example", "ada@xn--grn-ioa.example"),
    ("ada@gru\u{308}n.example", "ada@xn--grn-ioa.example"), ("ada@xn--grn-ioa.example", "ada@xn--grn-ioa.example"),
    ("@grün.example", "@xn--grn-ioa.example"), ("ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"),
    ("zoë@grün.example", "zoë@xn--grn-ioa.example"), ("no address", "no address"), ("ada@", "ada@"),
  ])
  func domainsAreComparedInTheirASCIIForm(text: String, comparable: String) {
    #expect(EmailAddress.comparable(text) == comparable)
  }
}
