import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { docx, pptx } from '#tests/support/office-files.ts'
import { documentMarkdown as markdown } from '#tests/support/read-document.ts'

const test = suite('formulas in office documents')

const run = (text: string, properties = '') => `<m:r><m:rPr>${properties}</m:rPr><m:t>${text}</m:t></m:r>`
const e = (inner: string) => `<m:e>${inner}</m:e>`
const inline = (inner: string) =>
  `<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><m:oMath>${inner}</m:oMath><w:r><w:t>.</w:t></w:r></w:p>`

test('Word: formulas become TeX', async () => {
  const cases: [formula: string, tex: string][] = [
    [`<m:sSup>${e(run('x'))}<m:sup>${run('2')}</m:sup></m:sSup>${run('+1')}`, 'x^{2} + 1'],
    [`<m:f><m:num>${run('a')}</m:num><m:den>${run('b')}</m:den></m:f>`, '\\frac{a}{b}'],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(run('2'))}</m:rad>`, '\\sqrt{2}'],
    [`<m:rad><m:deg>${run('3')}</m:deg>${e(run('2'))}</m:rad>`, '\\sqrt[3]{2}'],
    [`<m:sSubSup>${e(run('x'))}<m:sub>${run('i')}</m:sub><m:sup>${run('2')}</m:sup></m:sSubSup>`, 'x_{i}^{2}'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup>${e(run('i'))}</m:nary>`,
      '\\sum_{i = 1}^{n} i',
    ],
    [`<m:func><m:fName>${run('cos', '<m:sty m:val="p"/>')}</m:fName>${e(run('ω'))}</m:func>`, '\\cos \\omega'],
    [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${e(run('a'))}</m:d>`, '\\left[a\\right]'],
    [`<m:acc><m:accPr><m:chr m:val="&#x20d7;"/></m:accPr>${e(run('v'))}</m:acc>`, '\\overset{\\rightarrow}{v}'],
    [
      `<m:m><m:mr>${e(run('a'))}${e(run('b'))}</m:mr><m:mr>${e(run('c'))}${e(run('d'))}</m:mr></m:m>`,
      '\\begin{matrix}a & b \\\\ c & d\\end{matrix}',
    ],
  ]
  for (const [formula, tex] of cases) assert.is((await markdown(docx(inline(formula)))).replace(/\s+/g, ' '), `It is $${tex}$. `, tex)
})

test('a formula on lines of its own is a display formula, in Word and on slides', async () => {
  const paragraph = `<m:oMathPara><m:oMath>${run('E=m')}<m:sSup>${e(run('c'))}<m:sup>${run('2')}</m:sup></m:sSup></m:oMath></m:oMathPara>`
  const expected = '$$\nE = m c^{2}\n$$\n'
  assert.is(await markdown(docx(`<w:p>${paragraph}</w:p>`)), expected)
  const shape = (inner: string) => `<p:sp><p:txBody><a:p>${inner}</a:p></p:txBody></p:sp>`
  const alternative = `<mc:AlternateContent><mc:Choice>${shape(`<a14:m>${paragraph}</a14:m>`)}</mc:Choice><mc:Fallback>${shape('<a:r><a:t>E</a:t></a:r>')}</mc:Fallback></mc:AlternateContent>`
  assert.is(await markdown(pptx(alternative)), `## Slide 1\n\n${expected}`)
})

test('signs of the fonts Symbol and Wingdings are the characters that they show', async () => {
  const run = (font: string, text: string) => `<w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`
  const sign = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`
  const words = [
    run('Symbol', 'x\uf061\uf0fe'),
    run('Wingdings', '\uf0e0'),
    sign('Symbol', 'F0B3'),
    sign('Symbol', '00B3'),
    sign('Wingdings', 'F0FC'),
    run('Other', '\ue000'),
    run('Wingdings 2', '\uf0e0'),
    sign('Wingdings 2', 'F0E0'),
    sign('Symbol', 'none'),
  ]
  assert.is(await markdown(docx(`<w:p>${words.join('')}</w:p>`)), 'xα⎭→≥≥✓\ue000\uf0e0\n')
  const slide = '<p:sp><p:txBody><a:p><a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>a \uf0e0 b</a:t></a:r></a:p></p:txBody></p:sp>'
  assert.is(await markdown(pptx(slide)), '## Slide 1\n\na → b\n')
})

test('damaged formulas, and what follows them, keep their text', async () => {
  assert.match(
    await markdown(docx(`${inline('<m:f></m:f><m:sSup/><m:unknown>x</m:unknown>')}<w:p><w:r><w:t>after</w:t></w:r></w:p>`)),
    /after\n$/,
  )
  const deep = `${'<m:d>'.repeat(300)}${run('x')}${'</m:d>'.repeat(300)}`
  assert.match(await markdown(docx(`${inline(deep)}<w:p><w:r><w:t>after</w:t></w:r></w:p>`)), /after\n$/)
})

test.run()
