/** Tables of contents of the page itself, recognised by the headings that their links repeat. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainContentOf } from '#tests/support/main-content-of.ts'

const test = suite('tables of contents')

const TEXT = 'The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days by two people. '
const chapters = (names: readonly string[]) => names.map((name, at) => `<h2 id="c${at}">${name}</h2><p>${TEXT.repeat(2)}</p>`).join('')
const links = (names: readonly string[], page = '') => names.map((name, at) => `<li><a href="${page}#c${at}">${name}</a></li>`).join('')
const NAMES = ['1. Keel and bow', '2. The mast', '3. Sails', '4. Oars']

test('a list of links that repeat the headings of the page is left out, with its label or its heading, also without class names', () => {
  for (const list of [
    `<ul id="index">${links(NAMES)}</ul>`,
    `<p>On this page:</p><ol>${links(NAMES.map((name) => name.slice(3)))}</ol>`,
    `<h2>Contents</h2><ul>${links(NAMES, 'boats')}</ul>`,
    `<div><b>Inhalt</b><ul><li><a href="#c0">${NAMES[0]}</a><ul>${links(NAMES).replace(/^.*?<\/li>/, '')}</ul></li></ul></div>`,
  ]) {
    const markdown = mainContentOf(`<title>Boats</title><h1>Boats</h1>${list}${chapters(NAMES)}`, 'https://site.example/docs/boats')
    assert.match(markdown, /^# Boats\n\n## 1\. Keel and bow\n\nThe keel/, list)
  }
})

test('a list stays whose links repeat no headings, or lead to other pages, and so does a heading with a text below the list', () => {
  const other = ['Rope', 'Anchor', 'Buoy', 'Flag']
  for (const list of [links(other), links(NAMES, 'other'), links(NAMES.slice(0, 2))]) {
    const markdown = mainContentOf(`<title>Boats</title><h1>Boats</h1><p>${TEXT}</p><pre>row</pre><ul>${list}</ul>${chapters(NAMES)}`)
    assert.match(markdown, /\n- \[/, list)
  }
  const markdown = mainContentOf(`<title>Boats</title><h1>Boats</h1><h2>Parts</h2><ul>${links(NAMES)}</ul><p>${TEXT}</p>${chapters(NAMES)}`)
  assert.match(markdown, /^# Boats\n\n## Parts\n\nThe keel/)
})

test('a heading above the list stays if lower headings stand below it, unless it announces the contents', () => {
  const lower = chapters(NAMES).replaceAll('h2', 'h3')
  const page = (heading: string) => mainContentOf(`<title>Boats</title><h1>Boats</h1><h2>${heading}</h2><ul>${links(NAMES)}</ul>${lower}`)
  assert.match(page('Parts'), /^# Boats\n\n## Parts\n\n### 1\. Keel and bow\n\nThe keel/)
  assert.match(page('Contents'), /^# Boats\n\n### 1\. Keel and bow\n\nThe keel/)
})

test('signs in links do not repeat a heading that is a picture', () => {
  const signs = links(['★', '★★', '★★★'])
  const page = `<title>Boats</title><h1>Boats</h1><h2><img src="/boat.png" alt=""></h2><p>${TEXT}</p><pre>row</pre><ul>${signs}</ul>${chapters(NAMES)}`
  assert.match(mainContentOf(page), /\n- \[★★★\]/)
})

test.run()
