import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { initialsOf } from '#web/ui/text/initials.ts'

const initials = suite('initials')

initials('the first and the last word give a letter each', () => {
  const rows: [name: string, letters: 1 | 2, expected: string, why: string][] = [
    ['Amélie Martin', 2, 'AM', 'two words'],
    ['Ana Maria Ruiz', 2, 'AR', 'the middle name is left out'],
    ['ana ruiz', 2, 'AR', 'two words in lower case'],
    ['Ana', 2, 'A', 'one word'],
    ['  Élan   vital ', 2, 'ÉV', 'spaces around and between'],
    ['jonas@blue-kettle.example', 2, 'J', 'an email address'],
    ['𝒜lpha Team', 1, '𝒜', 'a letter of two code units stays whole'],
    ['Blue Kettle', 1, 'B', 'one letter requested'],
    ['', 2, '', 'an empty name'],
  ]
  for (const [name, letters, expected, why] of rows) assert.is(initialsOf(name, letters), expected, why)
})

initials.run()
