import SyncEngine

extension MemoryService {
  func check() async throws(ServiceFailure) {}
}
