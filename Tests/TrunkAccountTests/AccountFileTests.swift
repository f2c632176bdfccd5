import Testing

/// The tests that sign in or out run one after the other, because the whole process has one file with the account.
@Suite(.serialized) enum AccountFileTests {}
