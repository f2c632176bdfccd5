import TrunkModel

/// Reads journals that other programs exported.
///
///     let found = try PageReader.read("/home/ada/Journal.zip", options: PageOptions(zone: Zone.named))
///     print(found.format.name, found.pages.count)
public enum PageReader {
  /// Reads the file, folder or zip at a path. Its format is found by its content; nothing is written.
  ///
  /// - Parameters:
  ///   - isCancelled: asked between entries; the read then ends with `PageReadError.cancelled`.
  ///   - progress: called for each file, and now and then in a long one.
  public static func read(
    _ path: String, options: PageOptions, isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (PageProgress) -> Void = { _ in }
  ) throws(PageReadError) -> PageImport {
    let files = try ExportFiles(path, limits: options.limits)
    let collector = PageCollector(files, options, isCancelled: isCancelled, progress: progress)
    let reader = try FormatDetection(collector).reader()
    collector.format = reader.format
    try reader.read(collector)
    collector.noteOthers(of: reader)
    return try collector.finish()
  }
}
