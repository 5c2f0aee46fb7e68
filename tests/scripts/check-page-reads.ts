import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readsOnce } from '../../scripts/check-page-reads.ts'

const reads = suite('assertions that read a page once')

reads('an assertion that reads the page only once is reported with its line', () => {
  const source = [
    `await page.goto('/dashboard')`,
    `assert.is(await form.getByRole('switch').count(), 1)`,
    `assert.match((await name.textContent()) ?? '', /Tea/)`,
    `assert.ok(await row.isVisible(), 'it stays')`,
    `assert.is.not(await field.inputValue(), '')`,
  ].join('\n')
  assert.equal(readsOnce(source), [2, 3, 4, 5])
})

reads('waiting assertions and other values are accepted', () => {
  const source = [
    `await becomes(() => form.getByRole('switch').count(), 1)`,
    `assert.is(requests.count(), 1)`,
    `assert.is((await fetch(url)).status, 200)`,
    `const box = await dialog.boundingBox()`,
  ].join('\n')
  assert.equal(readsOnce(source), [])
})

reads.run()
