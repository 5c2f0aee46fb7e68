import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asianFont, HELVETICA, pages, pdf } from '#tests/support/pdf-files.ts'
import type { Text } from '#tests/support/pdf-files.ts'
import { documentMarkdown as markdown } from '#tests/support/read-document.ts'

const test = suite('PDF')

test('the text of a PDF is read', async () => {
  assert.is(await markdown(pdf('(Hello from a PDF) Tj', HELVETICA)), 'Hello from a PDF\n')
})

test('codes of Chinese, Japanese and Korean fonts are read by the predefined CMap that the font names', async () => {
  const cases: [cmap: string, collection: string, codes: string, expected: string][] = [
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e', '日本語'],
    ['GBK-EUC-H', 'GB1', 'd6d0cec4', '中文'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1b9beee', '한국어'],
    // Codes are glyphs of the collection here.
    ['Identity-H', 'Japan1', '0e6a', '房'],
  ]
  for (const [cmap, collection, codes, expected] of cases)
    assert.is(await markdown(pdf(`<${codes}> Tj`, asianFont(cmap, collection))), `${expected}\n`, cmap)
})

test('a font that names an unknown CMap, or a path, costs its own text alone', async () => {
  for (const cmap of ['No-Such-H', '..#2f..#2fpackage.json', 'Adobe-Japan1-99'])
    assert.is(await markdown(pdf('<93fa> Tj /F9 24 Tf 0 -40 Td (and more) Tj', asianFont(cmap, 'Japan1'))), 'and more\n', cmap)
})

test('accents that are drawn over letters become accented letters', async () => {
  const cases: [drawn: string, expected: string][] = [
    ['[(fortifi\\264) 333 (ee)] TJ', 'fortifiée'],
    ['[(kilom`) 333 (etres)] TJ', 'kilomètres'],
    ['[(f\\250) 333 (ur Zoe)] TJ', 'für Zoe'],
    ['[(avan\\270) 333 (cos)] TJ', 'avanços'],
    ['[(`) 333 (a Paris)] TJ', 'à Paris'],
    // No letter has this accent.
    ['[(\\264) 333 (q)] TJ', '´q'],
  ]
  for (const [drawn, expected] of cases) assert.is(await markdown(pdf(drawn, HELVETICA)), `${expected}\n`, drawn)
})

test('an accent beside a letter stays as it is', async () => {
  for (const [drawn, expected] of [
    ['(it\\264s) Tj', 'it´s'],
    ['[(d\\264) 80 (une)] TJ', 'd´une'],
    ['(echo `uname`) Tj', 'echo \\`uname\\`'],
  ] as const)
    assert.is(await markdown(pdf(drawn, HELVETICA)), `${expected}\n`, drawn)
})

test('running heads of chapters and pages are left out, also where they change', async () => {
  const chapters = ['Shell Grammar', 'Shell Grammar', 'Redirection', 'Redirection', 'Redirection', 'Expansion', 'Expansion', 'Expansion']
  const bytes = pages(
    chapters.map((chapter, page) => [
      [page % 2 === 0 ? `Chapter 6: ${chapter} ${page + 9}` : `${page + 9} THE SHELL, ${chapter}`, 72, 760],
      [`Text of page ${'abcdefgh'[page]}`, 72, 700],
      [`goes on to ${'stuvwxyz'[page]}.`, 72, 688],
      [['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'][page]!, 300, 40],
    ]),
  )
  assert.is(
    await markdown(bytes),
    'abcdefgh'
      .split('')
      .map((letter, page) => `Text of page ${letter} goes on to ${'stuvwxyz'[page]}.\n`)
      .join('\n'),
  )
})

test('rows of a table that differ by their numbers stay at the edges of pages', async () => {
  const row = (page: number, at: number): Text[] => {
    const number = page * 20 + at
    return [
      [`Boat ${number}`, 72, 740 - at * 20],
      [`${number * 7} kg`, 300, 740 - at * 20],
    ]
  }
  const text = await markdown(pages([0, 1, 2].map((page) => Array.from({ length: 20 }, (_, at) => row(page, at)).flat())))
  assert.is(text.match(/\| Boat \d+ \| \d+ kg \|/g)?.length, 60)
})

test('list marks that are drawn after their texts are in front of them', async () => {
  const words: Text[] = [
    ['Some words.', 72, 720],
    ['Coble', 90, 700],
    ['Yole', 90, 680],
    ['Yawl', 90, 660],
  ]
  const marks = ['3.', '1.', '2.'].map((mark, at): Text => [mark, 75, [660, 700, 680][at]!])
  const expected = 'Some words.\n\n1. Coble\n2. Yole\n3. Yawl\n'
  assert.is(await markdown(pages([[...words, ...marks]])), expected)
  assert.is(await markdown(pages([[words[0]!, words[1]!, marks[1]!, words[2]!, marks[2]!, words[3]!, marks[0]!]])), expected)
  const number: Text[] = [
    ['3.', 72, 700],
    ['Some words.', 72, 720],
    ['95', 80.34, 700],
  ]
  assert.is(await markdown(pages([number])), '3\\.\n\nSome words.\n\n95\n')
  const far: Text[] = words.map(([text, x, y]) => [text, x + 60, y])
  assert.is(await markdown(pages([[...far, ['5.', 75, 680]]])), 'Some words.\n\nCoble\n\nYole\n\nYawl 5.\n')
})

test('list marks far from their texts are no column of a table', async () => {
  const list = (marks: string[]): Text[] =>
    ['Coble', 'Yole'].flatMap((word, at): Text[] => [
      [marks[at]!, 72, 700 - at * 14],
      [word, 108, 700 - at * 14],
    ])
  assert.is(await markdown(pages([list(['1.', '2.'])])), '1. Coble\n2. Yole\n')
  assert.is(await markdown(pages([list(['7', '8'])])), '| 7 | Coble |\n| --- | --- |\n| 8 | Yole |\n')
})

test('texts at the edges of pages stay: titles, steps of a slide, footnotes, and the first of several equal heads', async () => {
  const letter = (page: number) => String.fromCharCode(97 + page)
  const body = (page: number): Text[] => [
    [`Some words of page ${letter(page)},`, 72, 600],
    [`which are not those of another one: x${letter(page)}.`, 72, 588],
  ]
  const titles = await markdown(pages([0, 1, 2, 3].map((page) => [[`Lesson ${page + 1}`, 72, 760, 'F1', 24], ...body(page)])))
  assert.match(titles, /# Lesson 1\n[^]*# Lesson 4\n/)
  const slide: Text[] = [
    ['One', 72, 700],
    ['Two', 72, 660],
    ['Three', 72, 620],
  ]
  const steps = await markdown(
    pages([0, 1, 2, 3, 4, 5, 6].map((step) => (step < 3 ? [...slide, [`Step ${'xyz'[step]}`, 72, 500]] : body(step)))),
  )
  assert.is(steps.split('One').length, 4)
  const notes = await markdown(
    pages(Array.from({ length: 20 }, (_, page) => (page % 7 === 0 ? [...body(page), [`${page + 3} See there.`, 72, 60]] : body(page)))),
  )
  assert.match(notes, /3 See there\.[^]*10 See there\.[^]*17 See there\./)
  const heads = await markdown(
    pages([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((page) => (page < 4 ? [['The first part', 72, 760], ...body(page)] : body(page)))),
  )
  assert.is(heads.split('The first part').length, 2)
})

test('monospaced lines become code with their indentation and empty lines', async () => {
  const code = (text: string, x: number, y: number): Text => [text, x, y, 'F9']
  const bytes = pages([
    [
      ['The text before, which is longer than', 72, 700],
      ['the code that follows it:', 72, 688],
      code('def find(name):', 90, 668),
      code('return names[', 114, 656),
      code('will be', 198, 656),
      code('found = 1', 90, 632),
      ['The text goes on, and it has', 72, 600],
      ['several lines of its own, which', 72, 588],
      ['are not code. Run', 72, 576],
      code('npm start', 90, 556),
      ['and wait.', 72, 536],
    ],
  ])
  assert.is(
    await markdown(bytes),
    'The text before, which is longer than the code that follows it:\n\n```\ndef find(name):\n    return names[ will be\n\nfound = 1\n```\n\n' +
      'The text goes on, and it has several lines of its own, which are not code. Run\n\n```\nnpm start\n```\n\nand wait.\n',
  )
})

test('code that is drawn far apart has no endless lines', async () => {
  const prose = Array.from({ length: 30 }, (_, at): Text => [`Some text of line ${String.fromCharCode(97 + at)}`, 72, 740 - at * 12])
  const code = (gap: number, size: number) =>
    ['call', 'name', 'find', 'none', 'long'].flatMap((word, at): Text[] => [
      [`${word} one`, 72, 200 - at * 12, 'F9', size],
      [`${word} two`, gap, 200 - at * 12, 'F9', size],
    ])
  for (const [gap, size] of [
    [1e9, 10],
    [500, 1e-6],
  ] as const) {
    const text = await markdown(pages([[...prose, ...code(gap, size)]]))
    assert.match(text, /call one/)
    assert.ok(text.length < 10_000, String(text.length))
  }
})

test('a document that is all monospaced is no code', async () => {
  const lines = ['This letter was', 'written by a', 'machine of the', 'year 1950, and', 'it is no code.']
  assert.is(await markdown(pages([lines.map((line, at) => [line, 72, 700 - at * 12, 'F9'])])), `${lines.join(' ')}\n`)
})

test('a table of contents is a list of its entries, with or without dots that lead to the page', async () => {
  const bytes = pages([
    [
      ['What this book has', 72, 730],
      ['1 Introduction', 72, 700],
      ['1', 300, 700],
      ['1.1 Scope . . . . . . . . .', 80, 688],
      ['2', 300, 688],
      ['1.2 What is not meant', 80, 676],
      ['by any of it . . . . . . . . . 3', 96, 664],
      ['Index', 72, 652],
      ['iv', 300, 652],
      ['Some text below it.', 72, 640],
    ],
  ])
  assert.is(
    await markdown(bytes),
    'What this book has\n\n- 1 Introduction … 1\n- 1.1 Scope … 2\n- 1.2 What is not meant by any of it … 3\n- Index … iv\n\nSome text below it.\n',
  )
})

test('columns of words and numbers without leaders are a table', async () => {
  const bytes = pages([
    [
      ['Boats', 72, 700],
      ['12', 300, 700],
      ['Nets', 72, 688],
      ['30', 300, 688],
    ],
  ])
  assert.is(await markdown(bytes), '| Boats | 12 |\n| --- | --- |\n| Nets | 30 |\n')
})

/** Rows of texts at these positions, 14 points apart. */
const rowsAt = (columns: readonly number[], rows: readonly (readonly string[])[], { top = 700, step = 14 } = {}): Text[] =>
  rows.flatMap((cells, row) => cells.flatMap((text, column): Text[] => (text === '' ? [] : [[text, columns[column]!, top - row * step]])))

test('a row of a table whose text nearly reaches the next column is a row too', async () => {
  const rows = [
    ['Quantity', 'Unit', 'Symbol'],
    ['length', 'metre', 'm'],
    ['thermodynamic temp.', 'kelvin', 'K'],
    ['time', 'second', 's'],
  ]
  assert.is(
    await markdown(pages([rowsAt([72, 180, 260], rows)])),
    '| Quantity | Unit | Symbol |\n| --- | --- | --- |\n| length | metre | m |\n| thermodynamic temp. | kelvin | K |\n| time | second | s |\n',
  )
})

test('right-aligned numbers of different lengths are in one column', async () => {
  const rows = [
    ['Boats', '7'],
    ['Nets', '1 234 567'],
    ['Floats', '89'],
  ]
  const texts = rowsAt([72, 0], rows).map(([text, x, y]): Text => [text, x === 0 ? 300 - text.length * 5 : x, y])
  assert.is(await markdown(pages([texts])), '| Boats | 7 |\n| --- | --- |\n| Nets | 1 234 567 |\n| Floats | 89 |\n')
})

test('a row without text in some columns has empty cells', async () => {
  const rows = [
    ['Boat', 'Port', 'Crew'],
    ['Aurora', 'Kiel', '4'],
    ['Borea', '', '2'],
    ['', 'Husum', '3'],
    ['Cirrus', 'Emden', '5'],
  ]
  assert.is(
    await markdown(pages([rowsAt([72, 200, 330], rows)])),
    '| Boat | Port | Crew |\n| --- | --- | --- |\n| Aurora | Kiel | 4 |\n| Borea |  | 2 |\n|  | Husum | 3 |\n| Cirrus | Emden | 5 |\n',
  )
})

test('the text of a cell goes on in the next lines', async () => {
  const rows = [
    ['Option', 'Meaning'],
    ['grid', 'draws a grid over the page, at the back'],
    ['', 'of its text'],
    ['unit', 'the distance of its lines'],
  ]
  assert.is(
    await markdown(pages([[...rowsAt([72, 150], rows), ['Text below the table.', 72, 600]]])),
    '| Option | Meaning |\n| --- | --- |\n| grid | draws a grid over the page, at the back of its text |\n| unit | the distance of its lines |\n\nText below the table.\n',
  )
})

test('a table whose first row shows fewer columns than the others has all of them', async () => {
  const rows = [
    ['Computer Modern Roman', 'OT1, T1', 'n, it'],
    ['Times', 'T1', 'n'],
    ['Euler', 'U', 'n'],
  ]
  assert.is(
    await markdown(pages([rowsAt([72, 196, 250], rows)])),
    '| Computer Modern Roman | OT1, T1 | n, it |\n| --- | --- | --- |\n| Times | T1 | n |\n| Euler | U | n |\n',
  )
})

test('paragraphs and headings below a table are no rows of it', async () => {
  const table = rowsAt(
    [72, 200],
    [
      ['Boats', '12'],
      ['Nets', '30'],
    ],
  )
  const rows = '| Boats | 12 |\n| --- | --- |\n| Nets | 30 |\n\n'
  const below: [texts: Text[], expected: string][] = [
    [[['A short line.', 72, 672]], 'A short line.\n'],
    [
      [['A line that is longer than the first column and goes on for a while.', 72, 672]],
      'A line that is longer than the first column and goes on for a while.\n',
    ],
    [[['A line that begins where a column does.', 200, 660]], 'A line that begins where a column does.\n'],
    [
      [
        ['2', 72, 672, 'F1', 18],
        ['Ropes', 200, 672, 'F1', 18],
      ],
      '# 2 Ropes\n',
    ],
  ]
  for (const [texts, expected] of below) assert.is(await markdown(pages([[...table, ...texts]])), rows + expected, expected)
})

test('heads that are centered above columns of text are heads of these columns', async () => {
  const heads: Text[] = [
    ['Token', 72, 700],
    ['Meaning', 260, 700],
    ['Value', 420, 700],
  ]
  const rows = rowsAt(
    [72, 150, 420],
    [
      ['hidden', 'It is not shown.', '1'],
      ['print', 'It is shown on paper, but not on a screen.', '2'],
    ],
    { top: 686 },
  )
  assert.is(
    await markdown(pages([[...heads, ...rows]])),
    '| Token | Meaning | Value |\n| --- | --- | --- |\n| hidden | It is not shown. | 1 |\n| print | It is shown on paper, but not on a screen. | 2 |\n',
  )
})

test('numbered equations are no rows of a table', async () => {
  const rows = [
    ['E = m c2', '(1)'],
    ['a2 + b2 = c2', '(2.1)'],
  ]
  assert.is(await markdown(pages([rowsAt([120, 300], rows, { step: 24 })])), 'E = m c2 (1)\n\na2 + b2 = c2 (2.1)\n')
})

test('the words of justified lines are no columns', async () => {
  // Gaps of two thirds of the font size, at the same place of each line.
  const line = (y: number): Text[] => [
    ['some words', 72, y],
    ['and others', 132, y],
  ]
  assert.is(await markdown(pages([[...line(700), ...line(688)]])), 'some words and others some words and others\n')
})

test('bold lines as small as the text are headings, also close above it', async () => {
  const prose = (y: number): Text[] => [
    ['Some words of the text, which goes on for a while,', 72, y],
    ['and for a second line of it.', 72, y - 12],
  ]
  const bytes = pages([
    [
      ['A report', 72, 740, 'F2', 18],
      ['Abstract', 72, 700, 'F2', 9],
      ...prose(688),
      ['1. Why the nets of the northern boats', 72, 650, 'F2'],
      ['are dyed', 72, 638, 'F2'],
      ...prose(626),
      ['1.1 Dyes', 72, 590, 'F2'],
      ...prose(578),
    ],
  ])
  const text = 'Some words of the text, which goes on for a while, and for a second line of it.'
  assert.is(
    await markdown(bytes),
    `# A report\n\n## Abstract\n\n${text}\n\n## 1. Why the nets of the northern boats are dyed\n\n${text}\n\n### 1.1 Dyes\n\n${text}\n`,
  )
})

test('a list is one whose numbers alone are bold, however far they are from their texts', async () => {
  for (const x of [84, 90, 120]) {
    const items: Text[] = [
      ['1.', 72, 660, 'F2'],
      ['Coble', x, 660],
      ['2.', 72, 648, 'F2'],
      ['Yole', x, 648],
    ]
    assert.is(
      await markdown(pages([[['Some words that are not bold.', 72, 700], ...items]])),
      'Some words that are not bold.\n\n1. Coble\n2. Yole\n',
      `text at ${x}`,
    )
  }
})

test('a bold accent over a letter that is not bold makes neither bold', async () => {
  const texts: Text[] = [
    ['A long text of many words that is not bold at all', 72, 700],
    ['caf', 72, 688],
    ['\xc2', 85, 688, 'F2'],
    ['e is open', 85, 688],
  ]
  assert.is(await markdown(pages([texts])), 'A long text of many words that is not bold at all café is open\n')
})

test('bold letters within a text are bold', async () => {
  const prose: Text[] = [
    ['Some words of the text, which goes on for a long while,', 72, 700],
    ['and for a second line of it, so that it is longer.', 72, 688],
  ]
  const bytes = pages([
    [
      ...prose,
      ['Mesh', 72, 660, 'F2'],
      ['is the width of a hole, also of a', 108, 660],
      ['bent', 290, 660, 'F2'],
      ['one.', 320, 660],
      ['1.', 72, 630, 'F2'],
      ['Coble', 90, 630, 'F2'],
      ['has a sail', 130, 630],
      ['2.', 72, 618, 'F2'],
      ['Yole', 90, 618],
      ['Do never cut the net on', 72, 590, 'F2'],
      ['deck.', 72, 578, 'F2'],
    ],
  ])
  assert.is(
    await markdown(bytes),
    'Some words of the text, which goes on for a long while, and for a second line of it, so that it is longer.\n\n**Mesh** is the width of a hole, also of a **bent** one.\n\n1. **Coble** has a sail\n2. Yole\n\n**Do never cut the net on deck.**\n',
  )
})

test('bold sentences, captions, code and texts that are all bold are no headings', async () => {
  const prose = (y: number): Text[] => [
    ['Some words of the text, which goes on for a long while,', 72, y],
    ['and for a second line of it, and for a third line too, so', 72, y - 12],
    ['that it is longer than what is bold in it.', 72, y - 24],
  ]
  for (const line of ['Never cut a net.', 'Figure 3: A net', 'Table 2 Nets', '12 end'])
    assert.not.match(await markdown(pages([[...prose(700), [line, 72, 600, 'F2'], ...prose(540)]])), /#/, line)
  assert.not.match(
    await markdown(
      pages([
        [
          ['All of it is bold', 72, 700, 'F2'],
          ['Some more text', 72, 660, 'F2'],
          ['and one that is not bold', 72, 620],
        ],
      ]),
    ),
    /#/,
  )
})

test('an indented first line begins a paragraph, as a numbered entry of a bibliography does', async () => {
  const bytes = pages([
    [
      ['The first paragraph, which has two lines, and whose last', 72, 700],
      ['line is short.', 72, 688],
      ['The second one begins further to the right than the text', 86, 676],
      ['goes on, as in many books. It is', 72, 664],
      ['Here an indented line follows words that are no sentence', 86, 652],
      ['and is therefore part of the same paragraph as those', 72, 640],
      ['are.', 72, 628],
      ['[1] A. Keel, Nets of the north, and what the boats there', 72, 600],
      ['Harbour Press, 1999.', 86, 588],
      ['[2] B. Helm, Ropes of the south, and how the boats there', 72, 576],
      ['Harbour Press, 2001.', 86, 564],
    ],
  ])
  assert.is(
    await markdown(bytes),
    'The first paragraph, which has two lines, and whose last line is short.\n\n' +
      'The second one begins further to the right than the text goes on, as in many books. It is Here an indented line follows words that are no ' +
      'sentence and is therefore part of the same paragraph as those are.\n\n' +
      '[1] A. Keel, Nets of the north, and what the boats there Harbour Press, 1999.\n\n[2] B. Helm, Ropes of the south, and how the boats there ' +
      'Harbour Press, 2001.\n',
  )
})

test('short lines that begin with the number of a section are headings, and dots that lead to a number become one sign', async () => {
  const lines: [line: string, expected: string][] = [
    ['2.1.3 Floating point', '#### 2.1.3 Floating point'],
    ['2.1 A sentence that begins with a number is no heading.', '2.1 A sentence that begins with a number is no heading.'],
    ['2.1 million people', '2.1 million people'],
    ['2.4 Coffee . . . . . . . . . 3', '2.4 Coffee … 3'],
    ['Tea..........2.50', 'Tea … 2.50'],
    ['and so on ... it goes', 'and so on ... it goes'],
  ]
  for (const [line, expected] of lines)
    assert.is(
      await markdown(
        pages([
          [
            ['Some text above it.', 72, 740],
            [line, 72, 700],
            ['Some text below it.', 72, 660],
          ],
        ]),
      ),
      `Some text above it.\n\n${expected}\n\nSome text below it.\n`,
    )
})

test.run()
