import TrunkModel

extension Garden {
  /// Decides whether to remind now: at most once a day, never after a watering or during rest, and only once for each
  /// time of day that the user has chosen, even if the computer was off or asleep at that time.
  /// - Returns: `nil` to send nothing.
  public func reminder(
    _ settings: ReminderSettings, resting rest: RestDays, _ record: ReminderRecord, at now: Instant
  ) -> Reminder? {
    guard mayRemind(settings, resting: rest, record, at: now) else { return nil }
    let (sent, isPostponed) = (record.sent(before: now), record.later != nil)
    let days = sent.map { zone.dayKey(now).number - zone.dayKey($0).number }
    if days == 0 { return postponed(record, at: now) }
    guard isTime(settings.second, since: record.checked, at: now) else { return nil }
    let ready = ready(at: now)
    if settings.includesHarvest, let new = ready.last, sent.map({ new.harvestDue > $0 }) ?? true {
      return Reminder(.harvest(new.id))
    }
    if settings.includesSun, mentionsSun(record, at: now) { return Reminder(.sun) }
    guard let interval = settings.frequency.days, isPostponed || days.map({ $0 >= interval }) ?? true else {
      return nil
    }
    if let sprout = today(at: now, resting: rest).due.first { return Reminder(.water(sprout.id)) }
    return settings.includesHarvest ? ready.first.map { Reminder(.harvest($0.id)) } : nil
  }

  /// Whether a reminder is possible now, whatever the subject and the time of day. Without it, nothing needs to be
  /// fetched for a decision.
  public func mayRemind(
    _ settings: ReminderSettings, resting rest: RestDays, _ record: ReminderRecord, at now: Instant
  ) -> Bool {
    guard settings.isOn, !rest.contains(zone.dayKey(now)), waterLeft(at: now) == Soil.waterings,
      !record.isWaiting(at: now)
    else { return false }
    // The day's reminder returns only if the user has postponed it.
    return record.later != nil || record.sent(before: now).map { zone.dayKey($0) != zone.dayKey(now) } ?? true
  }

  /// Whether the chosen time of day has come since the last decision.
  private func isTime(_ second: Int64, since checked: Instant?, at now: Instant) -> Bool {
    let today = zone.local(now).day
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

extension Garden {
  /// Whether a postponed reminder is settled: the user has watered since, or its subject is settled on the same day.
  fileprivate func isSettled(_ record: ReminderRecord, at now: Instant) -> Bool {
    guard let sent = record.sent else { return true }
    let isWatered = sprouts.contains { sprout in lastWatered(sprout, at: now).map { $0.instant > sent } ?? false }
    return zone.dayKey(sent) == zone.dayKey(now) || isWatered
  }
}

extension ReminderRecord {
  /// When the last reminder was sent. A clock that was ahead for a while must not silence reminders until then.
  fileprivate func sent(before now: Instant) -> Instant? { sent.flatMap { $0 <= now ? $0 : nil } }

  /// Whether the user has postponed the last reminder to a later instant. An instant days away comes from a clock that
  /// was ahead, and is ignored.
  func isWaiting(at now: Instant) -> Bool {
    later.map { $0 > now && $0 < now.adding(seconds: 2 * 86_400) } ?? false
  }

  /// Notes a decision, before the reminder is sent: if the program ends in between, nothing is sent twice.
  public mutating func note(_ reminder: Reminder?, at now: Instant, in garden: Garden) {
    checked = now
    if reminder != nil || !isWaiting(at: now) && garden.isSettled(self, at: now) { later = nil }
    guard let reminder else { return }
    (sent, subject) = (now, reminder.subject)
    if reminder.subject == .sun { sunSent = now }
  }

  /// Lets the last reminder return the same day, at the timer's next hour after `Reminder.shortestDelay`. If the day
  /// has no such hour left, it returns at the chosen time of the next day, whatever the frequency.
  /// - Parameter zone: the computer's, in which the timer runs.
  public mutating func postpone(at now: Instant, in zone: Zone) {
    let (today, earliest) = (zone.dayKey(now), now.adding(seconds: Reminder.shortestDelay))
    let hours = Reminder.hours.map { zone.instant(day: today, second: Int64($0) * 3600) }
    later = hours.first { $0 >= earliest } ?? zone.nextReset(after: now)
  }
}
