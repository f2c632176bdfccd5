/// Why a join is rejected, in Supabase's form: a code and a sentence.
struct RealtimeRejection: Error {
  let reason: String

  init(_ code: String, _ sentence: String) {
    reason = "\(code): \(sentence)"
  }

  static let tooManyConnections = RealtimeRejection("ConnectionRateLimitReached", "Too many connected users")
  static let tooManyJoins = RealtimeRejection("ClientJoinRateLimitReached", "Too many joins per second")
  static let tooManyChannels = RealtimeRejection("ChannelRateLimitReached", "Too many channels")
  static let tooManySubscriptions = RealtimeRejection(
    "ChannelRateLimitReached", "Too many postgres_changes subscriptions")

  static func unsupported(_ feature: String) -> RealtimeRejection {
    RealtimeRejection("RealtimeDisabledForConfiguration", "This server does not support \(feature)")
  }
}
