extension JournalBook {
  /// The style sheet of the web page: paper and wood, as in the window.
  static let style = """
    :root {
      --paper: #faf5ec; --ink: #2b1a12; --second: #5a463a; --faint: #735f52; --rule: #ddd0bd; --wood: #6b4423;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #1a1714; --ink: #e8e0d4; --second: #c4b8a8; --faint: #a39686; --rule: #3d352d; --wood: #c89860;
      }
    }
    html { background: var(--paper); color: var(--ink); }
    body {
      font: 1.125rem/1.6 Charter, "Source Serif 4", "Noto Serif", Georgia, serif; max-width: 34em; margin: 0 auto;
      padding: 0 1.25rem 6rem; overflow-wrap: anywhere; hyphens: auto; font-variant-numeric: oldstyle-nums;
    }
    h1, h2, h3 { font-weight: 600; line-height: 1.2; text-wrap: balance; hyphens: none; }
    .title { text-align: center; padding: 6rem 0 3rem; }
    .title p { margin: 0.6rem 0; color: var(--second); }
    .title h1 { font-size: 2.6rem; margin: 0.6rem 0; }
    .title .subtitle { color: var(--wood); letter-spacing: 0.06em; }
    .title .author { font-style: italic; }
    nav { border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); padding: 1rem 0; font-size: 1rem; }
    nav ul { list-style: none; margin: 0; padding: 0; columns: 10em; }
    nav .part { font-weight: 600; break-after: avoid; }
    nav a { color: var(--second); text-decoration: none; display: inline-block; padding: 0.1em 0; }
    nav a:hover, nav a:focus-visible { color: var(--ink); text-decoration: underline; }
    h2 { font-size: 1.6rem; margin: 4rem 0 1.5rem; }
    h2.part { font-size: 2.2rem; text-align: center; }
    h3 { font-size: 1.35rem; margin: 3rem 0 1.5rem; }
    article { margin: 2.25rem 0; }
    article p { margin: 0.5em 0; }
    .when, .about, .milestone { color: var(--faint); font-size: 0.85rem; }
    article .when { margin-bottom: 0.2em; }
    .question { color: var(--second); font-style: italic; }
    .heading { font-size: 1.2em; font-weight: 600; }
    code { font-size: 0.85em; }
    figure { margin: 2rem auto; max-width: 30rem; }
    .dedication, .words, .chapter, .sun, .title h1 { text-align: center; }
    .dedication { font-style: italic; padding: 2rem 0 4rem; }
    nav .chapter { padding-left: 1rem; font-style: italic; }
    article.sun { margin: 3rem 2rem; }
    article.chapter { margin: 5rem 0; }
    .chapter h4 { font-size: 1.4rem; font-weight: 400; }
    .runin, .earlier, .index, .colophon, .silence { font-size: 0.9rem; margin: 0.4em 0; }
    .earlier, .colophon, .silence, .index span, .drop { color: var(--faint); }
    .index a { color: var(--second); }
    .colophon { text-align: center; margin-top: 2rem; }
    .milestone { margin: 1.5rem 0; }
    @media (min-width: 62rem) {
      article { position: relative; }
      article .when { position: absolute; right: calc(100% + 1.5rem); width: 9em; text-align: right; line-height: 1.9; }
      article .when, article .when + p { margin-top: 0; }
      section { position: relative; }
      .earlier { position: absolute; left: calc(100% + 1.5rem); width: 11em; }
    }
    @media print {
      @page { margin: 20mm 18mm; }
      :root { --paper: #fff; --ink: #000; --second: #333; --faint: #555; --rule: #bbb; --wood: #333; }
      body { font-size: 10.5pt; max-width: none; padding: 0; }
      nav { display: none; }
      .title { padding: 30vh 0; break-after: page; }
      h2.part { break-before: page; }
      h1, h2, h3, .when, .question { break-after: avoid; }
      p { orphans: 2; widows: 2; }
      .about { break-before: avoid; }
    }
    """
}
