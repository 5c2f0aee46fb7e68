/** The outline of a stored page. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { outlineOf } from '#web/runs/crawl/outline.ts'

const outline = suite('outline')

const heading = (level: string, textContent: string) => ({ dataset: { level }, textContent })

outline('an entry belongs to its heading; headings without text, and those below level 4, have none', () => {
  const [tea, empty, deep, water] = [heading('1', 'Tea'), heading('2', ' '), heading('5', 'Too deep'), heading('4', 'Water\n and  leaves')]
  assert.equal(outlineOf([tea, empty, deep, water]), [
    { level: 1, text: 'Tea', heading: tea },
    { level: 4, text: 'Water and leaves', heading: water },
  ])
})

outline('a level that the page made up is none', () => {
  assert.equal(outlineOf([heading('', 'a'), heading('-5', 'b'), heading('x', 'c')]), [])
})

outline('the outline has at most 200 headings', () =>
  assert.is(outlineOf(Array.from({ length: 1000 }, () => heading('1', 'a'))).length, 200),
)

outline.run()
