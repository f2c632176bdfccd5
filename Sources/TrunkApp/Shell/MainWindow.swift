import GtkKit
import Localization

/// One of the views that the switcher leads to.
struct Page {
  /// What `win.view` is called with.
  let name: String
  let title: String
  let icon: String
  let widget: Widget
}

/// The window: header bar with the view switcher, the views, and the switcher below them where it is narrow.
final class MainWindow {
  /// The views in the order of the switcher, as `win.view` knows them.
  static let pageNames = ["today", "tree", "garden", "journal"]

  /// The `AdwApplicationWindow`, which has the `win.` commands.
  let widget: Widget
  /// Where toasts appear.
  let toaster = Toaster(closeName: tr("Dismiss"))

  /// The view that is shown.
  var page: String {
    get { adw_view_stack_get_visible_child_name(stack).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(stack, newValue) }
  }

  private let stack: OpaquePointer = adw_view_stack_new().cast()
  private let pages: [Page]

  init(application: OpaquePointer) {
    widget = adw_application_window_new(application.cast())
    gtk_window_set_title(widget.cast(), tr("Trunk"))
    gtk_window_set_default_size(widget.cast(), 900, 1040)
    widget.size(width: 360, height: 294)

    pages = makePages()
    for page in pages {
      adw_view_stack_add_titled(stack, page.widget, page.name, page.title)
      adw_view_stack_page_set_icon_name(adw_view_stack_get_page(stack, page.widget), page.icon)
    }
    toaster.setContent(stack.widget)
    let switcher: Widget = adw_view_switcher_title_new()
    adw_view_switcher_title_set_stack(switcher.cast(), stack)
    adw_view_switcher_title_set_title(switcher.cast(), tr("Trunk"))
    let bottom: Widget = adw_view_switcher_bar_new()
    adw_view_switcher_bar_set_stack(bottom.cast(), stack)
    g_object_bind_property(
      switcher.address, "title-visible", bottom.address, "reveal", G_BINDING_SYNC_CREATE)
    let header = headerBar(
      title: switcher,
      end: [menuButton("open-menu-symbolic", name: tr("Main menu"), isPrimary: true, mainMenu())])
    adw_application_window_set_content(
      widget.cast(), column(header, toaster.widget.expandDown(), bottom))

    let view = widget.addChoice("view", choice: page) { [weak self] in self?.page = $0 }
    stack.onChange(of: "visible-child-name") { [weak self] in
      guard let self else { return }
      view.choice = page
      concealOthers()
    }
    concealOthers()
    widget.keeps(self)
  }

  /// The stack keeps screen readers from nothing.
  private func concealOthers() {
    for other in pages { other.widget.concealed(other.name != page) }
  }
}

private func makePages() -> [Page] {
  [
    Page(
      name: "today", title: tr("Today"), icon: "trunk-today-symbolic",
      widget: emptyState(
        icon: "trunk-today-symbolic", title: tr("Nothing grows yet"),
        hint: tr("Plant a sprout, and this is where it asks for water."))),
    Page(
      name: "tree", title: trc("view", "Tree"), icon: "trunk-tree-symbolic",
      widget: emptyState(
        icon: "trunk-tree-symbolic", title: tr("Your tree"),
        hint: tr("Eight branches with eight twigs each, for everything you tend."))),
    Page(
      name: "garden", title: trc("view", "Garden"), icon: "trunk-garden-symbolic",
      widget: emptyState(
        icon: "trunk-garden-symbolic", title: tr("Your garden is empty"),
        hint: tr("Sprouts, leaves and seedlings are kept here."))),
    Page(
      name: "journal", title: trc("view", "Journal"), icon: "trunk-journal-symbolic",
      widget: emptyState(
        icon: "trunk-journal-symbolic", title: tr("Nothing written yet"),
        hint: tr("What you write when you water, shine and harvest is kept here."))),
  ]
}

private func mainMenu() -> [MenuEntry] {
  [
    .section([
      .item(tr("About Trunk"), action: "app.about"),
      .item(tr("Quit"), action: "app.quit"),
    ])
  ]
}
