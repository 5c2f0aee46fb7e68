/** Recipes: their ingredients stand in columns beside the text, and hold no sentences. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of recipes')

const P =
  '<p>Let the broth simmer on a low flame for an hour, and stir it now and then, so that nothing sticks to the bottom of the pot.</p>'
const MENU = '<nav><ul><li><a href="/soups">OUT Soups</a></li></ul></nav>'
const LIST = '<ul><li>2 leeks</li><li>500 g potatoes</li><li>1 l <a href="/broth">broth</a></li></ul>'
const DATA = `<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [{"@type": "Recipe", "name": "Leek soup",
"recipeIngredient": ["2 leeks", "500 g potatoes", "1 l broth", "salt"],
"recipeInstructions": [{"@type": "HowToStep", "text": "Wash the leeks."}, {"@type": "HowToStep", "text": "Boil the potatoes."}]}]}</script>`

test('ingredients stay in a column that is named as a sidebar, or is an aside, if JSON-LD repeats them', () => {
  for (const column of ['<aside>$1</aside>', '<div class="sidebar">$1</div>', '<div class="col-4">$1</div>']) {
    const { markdown } = read(
      `${DATA}<main><h1>Leek soup</h1>${column.replace('$1', `<h2>You need</h2>${LIST}`)}<div>${P.repeat(4)}</div></main>`,
    )
    assert.match(markdown, /2 leeks[^]*potatoes[^]*broth/, markdown)
  }
})

test('steps stay in a box of a theme, if JSON-LD repeats them', () => {
  const { markdown } = read(
    `${DATA}<main><h1>Leek soup</h1><div>${P.repeat(4)}</div><div class="widget-box"><p>Wash the leeks.</p><p>Boil the potatoes.</p></div></main>`,
  )
  assert.match(markdown, /Wash the leeks[^]*Boil the potatoes/, markdown)
})

test('ingredients stay in such a column if microdata or the class of an element within it names them', () => {
  const marked = LIST.replaceAll('<li>', '<li itemprop="recipeIngredient">')
  for (const list of [marked, `<div class="recipe-ingredients">${LIST}</div>`, `<div class="RecipeIngredients">${LIST}</div>`]) {
    const { markdown } = read(`<main><h1>Leek soup</h1><aside class="left"><div>${list}</div></aside><div>${P.repeat(4)}</div></main>`)
    assert.match(markdown, /2 leeks[^]*potatoes[^]*broth/, markdown)
  }
})

test('what stands around ingredients is dropped as on other pages, and so are menus of ingredients', () => {
  const links = '<a href="/leeks">OUT Leeks</a> <a href="/potatoes">OUT Potatoes</a>'
  const { markdown } = read(`${DATA}<header>${MENU}</header><main><h1>Leek soup</h1>
<aside>${LIST}<div class="share-buttons"><a href="https://www.facebook.com/sharer/sharer.php?u=x">OUT</a></div></aside><div>${P.repeat(4)}</div></main>
<aside><ul class="ingredients">${links}</ul></aside><aside><h3><a href="/stew">OUT Bean stew</a></h3><div class="recipe-info">OUT 40 minutes</div></aside><nav class="ingredients"><p>OUT All ingredients of our kitchen</p></nav>
<div class="sidebar"><ul><li>OUT 2 leeks of the day</li><li>OUT a soup</li></ul></div>`)
  assert.match(markdown, /2 leeks/)
  assert.not.match(markdown, /OUT/, markdown)
})

function read(body: string): PageReading {
  const html = `<!doctype html><title>Leek soup</title><body>${body}`
  const source = { bytes: Buffer.from(html), contentType: 'text/html', status: 200, url: 'https://example.org/leek-soup' }
  const page = readPage(source, { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] })
  return page as PageReading
}

test.run()
