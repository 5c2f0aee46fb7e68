/** Pages of a shop with structured data, each in another format; and one with too much of it. */
import type { SitePage } from './site.ts'

const page = (head: string, main: string): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body><main>${main}
<p>Words about this, enough of them to make the paragraph of an article that is worth its place on a page.</p></main></body></html>`

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Sencha </td>',
  offers: { '@type': 'Offer', price: 7.5, priceCurrency: 'EUR' },
}

/** Three hundred images whose URLs consist of characters that JSON escapes with two. */
const HUGE_METADATA = `<meta property="og:image" content='${'"'.repeat(4096)}'>`.repeat(300)

export const MARKED_SHOP: Record<string, SitePage> = {
  '/': page(
    '<title>Blue Kettle</title><meta property="og:title" content="Blue Kettle"><meta property="og:image" content="/kettle.png">',
    '<h1>Blue Kettle</h1><a href="/sencha">Sencha</a> <a href="/kettle">Kettle</a> <a href="/about">About</a> <a href="/glut">All</a>',
  ),
  '/sencha': page(`<title>Sencha</title><script type="application/ld+json">${JSON.stringify(PRODUCT)}</script>`, '<h1>Sencha</h1>'),
  '/kettle': page(
    '<title>Kettle</title>',
    `<h1>Kettle</h1><div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Copper kettle</b>
     <a itemprop="url" href="/kettle">here</a></div>`,
  ),
  '/about': page('<title>About</title>', '<h1>About</h1>'),
  '/glut': page(`<title>All</title>${HUGE_METADATA}`, '<h1>All of it</h1>'),
}

export const SENCHA = PRODUCT
