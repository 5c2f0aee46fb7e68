/** URLs in attributes of HTML, made absolute. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { absoluteAttribute } from '#backend/crawler/formats/kept-html/absolute-attributes.ts'
import { LinkResolver } from '#backend/crawler/url/resolve-url.ts'

const attributes = suite('absolute URLs in attributes')
const resolver = new LinkResolver('https://a.test/folder/page?x=1', null)
const absolute = (name: string, value: string) => absoluteAttribute(name, value, resolver)

attributes('URLs become absolute and keep their fragment; other schemes and jumps within the page stay', () => {
  assert.is(absolute('href', 'b#part'), 'https://a.test/folder/b#part')
  assert.is(absolute('src', ' //cdn.test/a.png '), 'https://cdn.test/a.png')
  assert.is(absolute('poster', '/still.jpg'), 'https://a.test/still.jpg')
  for (const value of ['#part', '', ' ', 'mailto:a@b.example', 'data:image/png;base64,AA', 'javascript:void(0)'])
    assert.is(absolute('href', value), value)
  assert.is(absolute('title', 'b'), 'b')
})

attributes('each candidate of a srcset becomes absolute, however they are separated', () => {
  const one = 'https://a.test/folder/one.png'
  const two = 'https://a.test/two.png'
  for (const value of ['one.png 1x, /two.png 2x', 'one.png 1x,/two.png 2x', ' one.png  1x ,\n /two.png 2x,'])
    assert.is(absolute('srcset', value), `${one} 1x, ${two} 2x`, value)
  assert.is(absolute('srcset', 'one.png'), one)
  assert.is(absolute('srcset', 'one.png, /two.png 300w'), `${one}, ${two} 300w`)
  // A URL may contain commas.
  assert.is(absolute('srcset', '/w_1,h_2/a.png 1x'), 'https://a.test/w_1,h_2/a.png 1x')
})

attributes('a srcset that a long base could make very much longer stays as it is', () => {
  const value = 'a,'.repeat(3000)
  assert.is(absolute('srcset', value), value)
})

attributes.run()
