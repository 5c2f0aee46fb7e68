import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { docx, pptx, relations, zip } from '#tests/support/office-files.ts'
import { documentMarkdown as markdown } from '#tests/support/read-document.ts'

const test = suite('parts of office documents')

const paragraph = (text: string, style = '') => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

test('Word: the parts of a document are found by their relations, whatever their names are', async () => {
  const bytes = zip({
    '_rels/.rels': relations({ a: ['extended-properties', 'docProps/app.xml'], b: ['officeDocument', 'word/document2.xml'] }),
    'word/document2.xml': `<w:document>${paragraph('Title', 'H')}${paragraph('text')}</w:document>`,
    'word/_rels/document2.xml.rels': relations({ s: ['styles', 'styles2.xml'] }),
    'word/styles2.xml': '<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>',
  })
  assert.is(await markdown(bytes), '# Title\n\ntext\n')
})

test('sheets: parts are found in archives whose names have backslashes and other capitals', async () => {
  const bytes = zip({
    '_rels\\.rels': relations({ r: ['officeDocument', 'xl/workbook.xml'] }),
    'xl\\workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl\\_rels\\workbook.xml.rels': relations({ r1: ['worksheet', 'worksheets/Sheet1.xml'], r2: ['sharedStrings', 'sharedStrings.xml'] }),
    'xl\\sharedstrings.xml': '<sst><si><t>shared</t></si></sst>',
    'xl\\worksheets\\sheet1.xml': '<worksheet><row><c t="s"><v>0</v></c></row></worksheet>',
  })
  assert.is(await markdown(bytes), '## S\n\nshared\n')
})

test('a chart is a table of its data, below its title', async () => {
  const data = (tag: string, points: string[], code = 'General') =>
    `<c:${tag}><c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${points.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef></c:${tag}>`
  const series = (name: string, values: string[], code?: string) =>
    `<c:ser>${data('tx', [name])}<c:dLbls><c:dLbl><c:tx><a:t>label</a:t></c:tx></c:dLbl></c:dLbls>${data('cat', ['45292', '45323'], 'mmm\\ yyyy')}${data('val', values, code)}</c:ser>`
  const chart = `<c:chartSpace><c:chart><c:title><c:tx><a:p><a:r><a:t>Catch &lt; 2024</a:t></a:r></a:p></c:tx></c:title><c:plotArea><c:barChart>${series('Cod', ['8.200000000000001', '3'])}${series('Share', ['0.5'], '0%')}</c:barChart><c:valAx><c:title><a:t>tons</a:t></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`
  const expected = '**Catch < 2024**\n\n|  | Cod | Share |\n| --- | --- | --- |\n| 2024-01-01 | 8.2 | 50 % |\n| 2024-02-01 | 3 |  |\n'
  const frame = '<a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic>'
  assert.is(
    await markdown(
      pptx(`<p:graphicFrame>${frame}</p:graphicFrame>`, {
        'ppt/slides/_rels/slide1.xml.rels': relations({ c: ['chart', '../charts/chart1.xml'] }),
        'ppt/charts/chart1.xml': chart,
      }),
    ),
    `## Slide 1\n\n${expected}`,
  )
  assert.is(
    await markdown(
      docx(`${paragraph('Before')}<w:p><w:r><w:drawing>${frame}</w:drawing></w:r></w:p>${paragraph('after')}`, {
        'word/_rels/document.xml.rels': relations({ c: ['chart', 'charts/chart1.xml'] }),
        'word/charts/chart1.xml': chart,
      }),
    ),
    `Before\n\n${expected}\nafter\n`,
  )
})

test('the categories of a chart may have levels, and the points of a scatter chart have numbers', async () => {
  const point = (at: number, value: string) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`
  const name = `<c:tx>${point(0, 'S')}</c:tx>`
  const levels = `<c:cat><c:lvl>${point(0, 'Q1')}${point(1, 'Q2')}</c:lvl><c:lvl>${point(0, '2024')}</c:lvl></c:cat><c:val>${point(0, '1')}${point(1, '2')}</c:val>`
  assert.is(await chartText(`<c:ser>${name}${levels}</c:ser>`), '| 2024 Q1 | 1 |\n| Q2 | 2 |')
  assert.is(
    await chartText(`<c:ser>${name}<c:xVal>${point(0, '0.7')}</c:xVal><c:yVal>${point(0, '2.7')}</c:yVal></c:ser>`),
    '| 0.7 | 2.7 |',
  )

  async function chartText(xml: string) {
    const parts = { 'word/_rels/document.xml.rels': relations({ c: ['chart', 'c.xml'] }), 'word/c.xml': xml }
    return (await markdown(docx('<w:p><w:r><c:chart r:id="c"/></w:r></w:p>', parts))).split('\n').slice(2, -1).join('\n')
  }
})

test('the texts of a diagram are nested lists in the order of its connections', async () => {
  const point = (id: string, text: string, type = 'node') =>
    `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const connected = (from: string, to: string, order: number, type = 'parOf') =>
    `<dgm:cxn type="${type}" srcId="${from}" destId="${to}" srcOrd="${order}"/>`
  const data =
    `<dgm:dataModel><dgm:ptLst>${point('0', '', 'doc')}${point('1', 'Second')}${point('2', 'First &amp; foremost')}${point('3', 'below')}${point('9', 'arrow', 'sibTrans')}</dgm:ptLst>` +
    `<dgm:cxnLst>${connected('0', '1', 1)}${connected('0', '2', 0)}${connected('2', '3', 0)}${connected('0', '3', 0, 'presOf')}</dgm:cxnLst></dgm:dataModel>`
  const parts = {
    'ppt/slides/_rels/slide1.xml.rels': relations({ d: ['diagramData', '../diagrams/data1.xml'] }),
    'ppt/diagrams/data1.xml': data,
  }
  assert.is(await markdown(pptx('<dgm:relIds r:dm="d" r:lo="l"/>', parts)), '## Slide 1\n\n- First & foremost\n  - below\n- Second\n')
})

test.run()
