extension Drawing {
  /// The drawing as an `svg` element for a web page.
  /// - Parameter id: begins the names of its gradients, which must be unique on the page.
  public func svg(width: Double, height: Double, id: String) -> String {
    var (definitions, shapes) = ("", "")
    for (number, mark) in marks.enumerated() {
      var style = "fill=\"none\""
      switch mark.fill {
      case .color(let color): style = "fill=\"\(color.svg)\"" + color.opacity("fill")
      case .radial(let center, let radius, let inner, let outer):
        definitions +=
          "<radialGradient id=\"\(id)-\(number)\" gradientUnits=\"userSpaceOnUse\" cx=\"\(center.x.svg)\" "
          + "cy=\"\(center.y.svg)\" r=\"\(radius.svg)\">\(stops(inner, outer))</radialGradient>"
        style = "fill=\"url(#\(id)-\(number))\""
      case .linear(let from, let to, let first, let last):
        definitions +=
          "<linearGradient id=\"\(id)-\(number)\" gradientUnits=\"userSpaceOnUse\" x1=\"\(from.x.svg)\" "
          + "y1=\"\(from.y.svg)\" x2=\"\(to.x.svg)\" y2=\"\(to.y.svg)\">\(stops(first, last))</linearGradient>"
        style = "fill=\"url(#\(id)-\(number))\""
      case nil: break
      }
      if let stroke = mark.stroke {
        style +=
          " stroke=\"\(stroke.color.svg)\" stroke-width=\"\(stroke.width.svg)\"" + stroke.color.opacity("stroke")
      }
      shapes += "<path d=\"\(mark.path.svg)\" \(style)/>\n"
    }
    return "<svg viewBox=\"0 0 \(width.svg) \(height.svg)\" aria-hidden=\"true\" stroke-linecap=\"round\" "
      + "stroke-linejoin=\"round\"><defs>\(definitions)</defs>\n\(shapes)</svg>\n"
  }

  private func stops(_ first: Color, _ last: Color) -> String {
    "<stop stop-color=\"\(first.svg)\"\(first.opacity("stop"))/><stop offset=\"1\" stop-color=\"\(last.svg)\""
      + "\(last.opacity("stop"))/>"
  }
}

extension Path {
  fileprivate var svg: String {
    elements.map { element in
      switch element {
      case .move(let point): "M" + point.svg
      case .line(let point): "L" + point.svg
      case .curve(let first, let second, let end): "C" + first.svg + " " + second.svg + " " + end.svg
      case .close: "Z"
      }
    }.joined()
  }
}

extension Point {
  /// With one decimal: a page has many points.
  fileprivate var svg: String { ((x * 10).rounded() / 10).svg + " " + ((y * 10).rounded() / 10).svg }
}

extension Double {
  /// With at most two decimals.
  fileprivate var svg: String {
    let hundredths = (self * 100).rounded()
    guard abs(hundredths) < 1e15 else { return "0" }
    return hundredths.remainder(dividingBy: 100) == 0 ? "\(Int(hundredths) / 100)" : "\(hundredths / 100)"
  }
}

extension Color {
  fileprivate var svg: String {
    "#"
      + [red, green, blue].map { part in
        let text = String(Int((min(max(part, 0), 1) * 255).rounded()), radix: 16)
        return text.count == 1 ? "0" + text : text
      }.joined()
  }

  fileprivate func opacity(_ name: String) -> String { alpha < 1 ? " \(name)-opacity=\"\(alpha.svg)\"" : "" }
}
