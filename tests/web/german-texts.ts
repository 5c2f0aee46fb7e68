/** Rules of the German catalogue that types cannot check. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as de from '#web/texts/de/index.ts'

const german = suite('the German catalogue')

const TEXTS = Object.entries(de).flatMap(([file, texts]) =>
  Object.entries<unknown>(texts).map(([name, text]): [name: string, text: string] => [`${file}.${name}`, String(text)]),
)

german('a URL is called so: an address is that of a mail or of a machine', () => {
  const isAddress = /E-Mail-Adress|IP-Adress/
  const URLS = /^(?:crawl|sitemap|outcomes|palette|missingRun|models|nouns|kinds|runFields)/
  const found = TEXTS.filter(([name, text]) => URLS.test(name) && /Adresse/.test(text) && !isAddress.test(text))
  assert.equal(
    found.map(([name]) => name),
    ['outcomes.addressNotAllowed'],
  )
})

german('the sentence about yesterday is right for one page and for several', () => {
  const { newPages, oneNewPage, yesterday } = de.home
  assert.equal([yesterday(oneNewPage), yesterday(newPages('312'))], ['gestern eine neue Seite', 'gestern 312 neue Seiten'])
})

german.run()
