import Testing
import TrunkKit

@Suite struct RouteTests {
  @Test(arguments: [
    (Route.today, "trunk://today"), (.tree, "trunk://tree"), (.garden, "trunk://garden"), (.journal, "trunk://journal"),
    (.seedlings, "trunk://seedlings"), (.seedling("seedling-ä"), "trunk://seedling/seedling-%C3%A4"),
    (.search(), "trunk://search"),
    (.search("a/b ä?"), "trunk://search/a%2Fb%20%C3%A4%3F"),
    (.entry(42), "trunk://entry/42"), (.sprout("sprout-1"), "trunk://sprout/sprout-1"),
    (.sprout("%20/../x"), "trunk://sprout/%2520%2F..%2Fx"), (.branch(7), "trunk://branch/7"),
    (.twig("branch-2-twig-0"), "trunk://twig/branch-2-twig-0"), (.leaf("leaf-ä"), "trunk://leaf/leaf-%C3%A4"),
    (.year(2025), "trunk://year/2025"), (.page(7), "trunk://page/7"),
  ])
  func everyPlaceHasAnAddress(route: Route, address: String) {
    #expect(route.address == address)
    #expect(Route(address: address) == route)
  }

  @Test func acceptsOtherSpellingsOfAnAddress() {
    #expect(Route(address: "TRUNK://today/") == .today)
    #expect(Route(address: "trunk://sprout/sprout%2d1") == .sprout("sprout-1"))
  }

  @Test(arguments: [
    "", "trunk", "trunk:", "trunk:today", "trunk://", "trunk:///", "trunk:///today", "trunk://nowhere",
    "trunk://today/x",
    "trunk://seedling", "trunk://seedling/", "trunk://seedlings/a",
    "trunk://sprout", "trunk://sprout/", "trunk://sprout/a/b", "trunk://sprout/%", "trunk://sprout/%4",
    "trunk://sprout/%zz",
    "trunk://sprout/%ff", "trunk://sprout/%00", "trunk://sprout/a%0Ab", "trunk://entry/0", "trunk://entry/-1",
    "trunk://entry/+1", "trunk://entry/01", "trunk://entry/99999999999999999999", "trunk://branch/8",
    "trunk://branch/x", "trunk://year", "trunk://year/0", "trunk://year/-5", "trunk://year/02025", "trunk://year/10000",
    "trunk://year/x",
    "trunk://twig/branch-2", "trunk://twig/branch-9-twig-0", "trunk://water", "trunk://uproot/sprout-1", "http://today",
    "trunk://search/" + String(repeating: "a", count: 5000), "trunk://today?x", "trunk://today#x", "trunk://ada@today",
  ])
  func rejectsEverythingElse(address: String) {
    #expect(Route(address: address) == nil)
  }
}
