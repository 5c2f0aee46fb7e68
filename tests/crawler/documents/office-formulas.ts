import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { docx, openDocument, pptx } from '#tests/support/office-files.ts'
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

const object = (name: string) =>
  `<draw:frame><draw:object xlink:href="./${name}"/><draw:image xlink:href="./ObjectReplacements/${name}"/></draw:frame>`

test('OpenDocument: formulas become TeX, also with the private characters of old files', async () => {
  const math = (inner: string, typed: string) =>
    `<math:math xmlns:math="m"><math:semantics>${inner}<math:annotation math:encoding="StarMath 5.0">${typed}</math:annotation></math:semantics></math:math>`
  const file = openDocument('text', `<text:p>Both ${object('Object 1')} and ${object('Object 2')} hold.</text:p>`, {
    'Object 1': '<math xmlns="m"><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>',
    'Object 2': math('<math:mrow><math:mi>\ue0b7</math:mi><math:mo>\ue083</math:mo><math:mi>\ue0c6</math:mi></math:mrow>', '%alpha + %pi'),
  })
  assert.is(await markdown(file), 'Both $E = m c^{2}$ and $\\alpha + \\pi$ hold.\n')
})

test('OpenDocument: a chart is a table of its values, an embedded sheet a table, and a sheet does not repeat its values', async () => {
  const cell = (value: string) => `<table:table-cell office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
  const row = (...values: string[]) => `<table:table-row>${values.map(cell).join('')}</table:table-row>`
  const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title>
    <chart:axis><chart:title><text:p>Year</text:p></chart:title></chart:axis>
    <table:table table:name="local-table"><table:table-header-rows>${row('', 'North')}</table:table-header-rows><table:table-rows>${row('2024', '0.30000000000000004')}${row('2025', 'NaN')}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document-content>`
  const sheet = `<office:document-content><office:body><office:spreadsheet><table:table table:name="Sheet1">${row('a', 'b')}${row('1', '2')}</table:table></office:spreadsheet></office:body></office:document-content>`
  const slide = `<draw:page draw:name="page1">${object('Object 1')}${object('Object 2')}${object('Object 3')}</draw:page>`
  assert.is(
    await markdown(openDocument('presentation', slide, { 'Object 1': chart, 'Object 2': sheet })),
    '## page1\n\n**Sales**\n\n|  | North |\n| --- | --- |\n| 2024 | 0.3 |\n| 2025 |  |\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  )
  const ods = `<table:table table:name="S">${row('x', 'y')}<table:table-row><table:table-cell>${object('Object 1')}</table:table-cell></table:table-row></table:table>`
  assert.is(await markdown(openDocument('spreadsheet', ods, { 'Object 1': chart })), '## S\n\n| x | y |\n| --- | --- |\n')
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
