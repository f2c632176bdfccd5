import Sync

extension MemoryService {
  func check() async throws(ServiceFailure) {}
}
