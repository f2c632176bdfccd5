import TrunkModel

extension Garden {
  /// Decides whether to remind now: at most once a day, never after a watering or during rest, and only once for each
  /// time of day that the user has chosen, even if the computer was off or asleep at that time.
  /// - Parameters:
  ///   - clockZone: the zone of the computer's clock, which may differ from the garden's.
  /// - Returns: `nil` to send nothing.
  public func reminder(
    _ settings: ReminderSettings, resting rest: RestDays, _ record: ReminderRecord, at now: Instant,
    clockZone: Zone
  ) -> Reminder? {
    guard settings.frequency != .off, !rest.contains(zone.dayKey(now)), waterLeft(at: now) == Soil.waterings
    else { return nil }
    if let later = record.later {
      // Until then the day has had its reminder.
      return later <= now ? postponed(record, at: now) : nil
    }
    // A clock that was ahead for a while must not silence reminders until then.
    let sent = record.sent.flatMap { $0 <= now ? $0 : nil }
    let days = sent.map { zone.dayKey(now).number - zone.dayKey($0).number }
    guard days != 0, Garden.isTime(settings.time, since: record.checked, at: now, clockZone) else { return nil }
    let ready = ready(at: now)
    if settings.includesHarvest, let new = ready.last, sent.map({ new.harvestDue > $0 }) ?? true {
      return Reminder(.harvest(new.id))
    }
    if settings.includesSun, mentionsSun(record, at: now) { return Reminder(.sun) }
    guard days.map({ $0 >= settings.frequency.days }) ?? true else { return nil }
    if let sprout = due(at: now).first(where: { !$0.isReady(at: now) }) { return Reminder(.water(sprout.id)) }
    return settings.includesHarvest ? ready.first.map { Reminder(.harvest($0.id)) } : nil
  }

  /// Whether the chosen time of day has come since the last decision.
  private static func isTime(
    _ time: ReminderSettings.Time, since checked: Instant?, at now: Instant, _ zone: Zone
  ) -> Bool {
    let (second, today) = (Int64(time.hour) * 3600, zone.local(now).day)
    let todays = zone.instant(day: today, second: second)
    let latest = todays <= now ? todays : zone.instant(day: today.adding(days: -1), second: second)
    return checked.map { $0 < latest || $0 > now } ?? true
  }

  /// Once at the weekend: there is no hurry before.
  private func mentionsSun(_ record: ReminderRecord, at now: Instant) -> Bool {
    let today = zone.dayKey(now)
    let isMentioned = record.sunSent.map { $0 <= now && zone.dayKey($0).monday == today.monday } ?? false
    return today.weekday >= 5 && sunLeft(at: now) > 0 && !isMentioned
  }

  /// The reminder that the user wanted to see later, if it still applies.
  private func postponed(_ record: ReminderRecord, at now: Instant) -> Reminder? {
    switch record.subject {
    case .water(let id): sprout(id: id)?.isActive == true ? Reminder(.water(id), canWait: false) : nil
    case .harvest(let id): sprout(id: id)?.isReady(at: now) == true ? Reminder(.harvest(id), canWait: false) : nil
    case .sun: sunLeft(at: now) > 0 ? Reminder(.sun, canWait: false) : nil
    case nil: nil
    }
  }
}

extension ReminderRecord {
  /// Notes a decision, before the reminder is sent: if the program ends in between, nothing is sent twice.
  public mutating func note(_ reminder: Reminder?, at now: Instant) {
    checked = now
    if let later, later <= now { self.later = nil }
    guard let reminder else { return }
    (sent, subject) = (now, reminder.subject)
    if reminder.subject == .sun { sunSent = now }
  }

  /// Lets the last reminder return.
  public mutating func postpone(at now: Instant) { later = now.adding(seconds: Reminder.delay) }
}
