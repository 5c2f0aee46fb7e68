/** Rules of the German catalogue that types cannot check. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BLOCKABLE } from '#contract/document-types.ts'
import * as german from '#web/texts/de/index.ts'
import * as english from '#web/texts/en/index.ts'

const texts = suite('the German texts')

/** The texts by their names, functions as their source. */
const allOf = (texts: object): (readonly [name: string, text: string])[] =>
  Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'object' && text !== null
      ? allOf(text).map(([below, own]) => [`${name}.${below}`, own] as const)
      : [[name, String(text)] as const],
  )

texts('a URL is called so wherever the English text says URL', () => {
  const inGerman = new Map(allOf(german))
  const named = allOf(english).filter(([, text]) => /\bURLs?\b/.test(text))
  assert.ok(named.length > 50)
  assert.equal(
    named.filter(([name]) => /\bAdressen?\b/.test(inGerman.get(name) ?? '')).map(([name]) => name),
    [],
  )
})

texts('what a browser leaves out has a German name', () => {
  const { block } = german.pageOptions
  assert.equal(
    BLOCKABLE.map((name) => block(german.crawl.blockable[name])),
    ['Bilder blockieren', 'Videos und Töne blockieren', 'Schriften blockieren', 'Werbung blockieren'],
  )
})

texts('a list with one row has one result, in both languages', () => {
  const rows = [english, german].map(({ lists }) => [lists.showingToOfResults('1', '1', 1), lists.showingToOfResults('1', '10', 1200)])
  assert.equal(rows, [
    ['Showing 1 to 1 of 1 result', 'Showing 1 to 10 of 1,200 results'],
    ['1 bis 1 von 1 Ergebnis', '1 bis 10 von 1.200 Ergebnissen'],
  ])
})

texts('the outcome of a URL is not called like the results of a crawl', () => {
  const { allOutcomes, outcome } = german.crawlOverview
  for (const text of [allOutcomes, outcome]) assert.not.match(text, /Ergebnis/)
})

texts('the sentence about yesterday is right for one page and for several', () => {
  const { newPages, oneNewPage, yesterday } = german.home
  assert.equal([yesterday(oneNewPage), yesterday(newPages('312'))], ['gestern eine neue Seite', 'gestern 312 neue Seiten'])
})

texts('the sentences about deletion after some days use the dative, in which their days are', () => {
  const { days, serverDeletesAll, serverDeletesLaterThanTeam, theTeamDeletesJobsAfterTheir } = german.teams
  for (const sentence of [serverDeletesAll, serverDeletesLaterThanTeam, theTeamDeletesJobsAfterTheir])
    assert.match(sentence(days(90)), /(?:nach|seit mehr als) 90 Tagen(?! nach)/)
})

texts.run()
