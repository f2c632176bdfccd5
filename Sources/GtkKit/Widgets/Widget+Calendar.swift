import CGtk

/// A day as a calendar shows it: the month is 1…12, the day 1…31.
public typealias CalendarDay = (year: Int, month: Int, day: Int)

/// A button that opens a calendar. A click on a day of the shown month closes it; browsing other months doesn't.
/// - Parameters:
///   - arrows: the accessible names of its buttons: previous month, next month, previous year, next year.
///   - day: called when the calendar opens; returns the day to select.
///   - onPick: called for each day that the user selects.
@MainActor public func calendarButton(
  name: String, arrows: [String], showing day: @escaping @MainActor () -> CalendarDay,
  onPick: @escaping @MainActor (CalendarDay) -> Void
) -> Widget {
  let calendar: Widget = gtk_calendar_new()
  calendar.accessibleName(name)
  // GTK gives them an icon and no name.
  for (button, name) in zip(calendar.buttons, arrows) { button.accessibleName(name) }
  let popover: Widget = gtk_popover_new()
  gtk_popover_set_child(popover.cast(), calendar)
  let button: Widget = gtk_menu_button_new()
  gtk_menu_button_set_icon_name(button.cast(), "x-office-calendar-symbolic")
  gtk_menu_button_set_popover(button.cast(), popover)
  var shown = day()
  let selection = calendar.on("day-selected") {
    let selected = calendar.selectedDay
    let staysInMonth = (selected.year, selected.month) == (shown.year, shown.month)
    shown = selected
    onPick(selected)
    if staysInMonth { gtk_popover_popdown(popover.cast()) }
  }
  popover.on("show") {
    shown = day()
    selection.withoutNotice { calendar.selectDay(shown) }
  }
  return button.accessibleName(name).tooltip(name)
}

@MainActor extension Widget {
  fileprivate var buttons: [Widget] {
    isA(gtk_button_get_type()) ? [self] : children.flatMap(\.buttons)
  }

  fileprivate var selectedDay: CalendarDay {
    guard let date = gtk_calendar_get_date(cast()) else { return (1, 1, 1) }
    defer { g_date_time_unref(date) }
    return (
      Int(g_date_time_get_year(date)), Int(g_date_time_get_month(date)), Int(g_date_time_get_day_of_month(date))
    )
  }

  fileprivate func selectDay(_ day: CalendarDay) {
    guard let date = g_date_time_new_local(gint(day.year), gint(day.month), gint(day.day), 12, 0, 0) else { return }
    defer { g_date_time_unref(date) }
    gtk_calendar_select_day(cast(), date)
  }
}
