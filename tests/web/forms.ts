import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nameErrors, passwordChangeErrors } from '#web/account/profile/profile-form.ts'
import { maskedKey } from '#web/team/teams/masked-key.ts'
import { pageRange } from '#web/ui/list/page-range.ts'
import { addTags } from '#web/ui/form/add-tags.ts'

const forms = suite('rules of forms and lists')

forms('the profile requires both names, and a new password by the rules', () => {
  assert.equal(nameErrors({ firstName: ' ', lastName: 'L' }), { firstName: 'First name is required' })
  assert.equal(passwordChangeErrors({ current: 'x', password: 'Kettle-4?', confirmation: 'Kettle-4?' }), {})
  assert.equal(passwordChangeErrors({ current: '', password: 'short', confirmation: 'other' }), {
    current: 'Password is required',
    password: 'Password must be at least 8 characters',
    confirmation: 'Passwords must match',
  })
})

forms('a masked key shows only its ends, and a short key shows nothing', () => {
  assert.is(maskedKey('sk_7f3c1a8b2c4d6e8f0a1b'), 'sk_7f3c1••••••••6e8f0a1b')
  assert.not.match(maskedKey('short-key'), /short/)
})

forms('a page of a list knows the numbers of its first and last row', () => {
  assert.equal(pageRange(1, 0, 10), { first: 0, last: 0, hasPrevious: false, hasNext: false })
  assert.equal(pageRange(1, 10, 10), { first: 1, last: 10, hasPrevious: false, hasNext: false })
  assert.equal(pageRange(2, 23, 10), { first: 11, last: 20, hasPrevious: true, hasNext: true })
  assert.equal(pageRange(3, 23, 10), { first: 21, last: 23, hasPrevious: true, hasNext: false })
})

forms('tags are split, trimmed and unique', () => {
  assert.equal(addTags(['a'], ' b , a\nc,, '), ['a', 'b', 'c'])
  assert.equal(addTags(['a'], '  '), ['a'])
})

forms.run()
