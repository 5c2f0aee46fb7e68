import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textsIn } from '../../scripts/check-texts.ts'

const texts = suite('texts outside of the catalogues')

const found = (source: string) => textsIn(source, true).map(({ text }) => text)

texts('a word with which a text of a catalogue is composed is found', () => {
  assert.equal(found("t.team(team?.name ?? 'none')"), ['none'])
  assert.equal(found("t.team('none')"), ['none'])
  assert.equal(found("t.errorsAre(all.map(({ status }) => (status === 'default' ? 'others' : status)).join(', '))"), ['others'])
})

texts('what a program says to a program within such a text is none', () => {
  assert.equal(found("t.added(wordsIn('added'), status === 'default' ? t.others : status)"), [])
  assert.equal(found("t.theAnswer(<code className={isWide ? 'wide' : 'narrow'}>{name}</code>)"), [])
})

texts.run()
