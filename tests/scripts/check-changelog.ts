import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { changelogFaults } from '../../scripts/check-changelog.ts'

const changelog = suite('the check of the changelog')

const text = (unreleased: string, newest = '## 1.2.0 (2026-03-04)') =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n${newest}\n\n- Something.\n\n## 1.1.0\n\n- Something older.\n`

changelog('a short changelog is accepted, and places that state its newest version', () =>
  assert.equal(changelogFaults(text('- A line.'), { 'package.json': '1.2.0' }), []),
)

changelog('a line with more than 300 characters is refused, by its number', () => {
  assert.equal(changelogFaults(text(`- ${'x'.repeat(298)}`), {}), [])
  assert.equal(changelogFaults(text(`- ${'x'.repeat(299)}`), {}), ['CHANGELOG.md:5: 301 characters; at most 300'])
})

changelog('a release with more than 150 lines is refused', () => {
  const [fault, ...others] = changelogFaults(text('- A line.\n'.repeat(160)), {})
  assert.match(fault ?? '', /^CHANGELOG\.md: “## Unreleased” has \d+ lines; at most 150/)
  assert.equal(others, [])
})

changelog('another version than that of the newest release is refused, and so is a changelog without a release', () => {
  assert.equal(changelogFaults(text(''), { 'package.json': '1.2.0', 'a.yaml': '1.1.0' }), [
    'a.yaml states version 1.1.0, the newest release in CHANGELOG.md is 1.2.0',
  ])
  assert.is(changelogFaults('# Changelog\n\n## Unreleased\n', {}).length, 1)
})

changelog.run()
