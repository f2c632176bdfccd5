import CGtk

// Shows the widest of several variants that fits. Libadwaita 1.4 deprecates `AdwSqueezer`.

/// Shows the first child that fits, or nothing if none does. Give the widest first.
@MainActor public func droppable(_ children: Widget...) -> Widget {
  let squeezer = makeSqueezer()
  adw_squeezer_set_allow_none(squeezer.cast(), 1)
  for child in children { adw_squeezer_add(squeezer.cast(), child) }
  return squeezer
}

/// Shows the first variant that fits, else the last one. Add variants with `addVariant`, the widest first.
@MainActor public func firstThatFits() -> Widget {
  let squeezer = makeSqueezer()
  squeezer.onChange(of: "visible-child") { concealHiddenVariants(of: squeezer) }
  return squeezer
}

@MainActor extension Widget {
  /// Adds a narrower variant to a `firstThatFits`.
  public func addVariant(_ variant: Widget) {
    adw_squeezer_add(cast(), variant)
    concealHiddenVariants(of: self)
  }
}

/// The squeezer hides the other variants visually, but not from screen readers.
@MainActor private func concealHiddenVariants(of squeezer: Widget) {
  let shown = adw_squeezer_get_visible_child(squeezer.cast())
  for variant in squeezer.children { variant.concealed(variant != shown) }
}

@MainActor private func makeSqueezer() -> Widget {
  let squeezer: Widget = adw_squeezer_new()
  adw_squeezer_set_homogeneous(squeezer.cast(), 0)
  adw_squeezer_set_switch_threshold_policy(squeezer.cast(), ADW_FOLD_THRESHOLD_POLICY_NATURAL)
  return squeezer
}
