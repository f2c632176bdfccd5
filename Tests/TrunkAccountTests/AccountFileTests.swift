import Testing

/// The tests that sign in or out run one after the other: one file for the whole process says who is signed in.
@Suite(.serialized) enum AccountFileTests {}
