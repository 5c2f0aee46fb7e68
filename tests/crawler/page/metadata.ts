/** Author, dates, site, section, tags, picture, language and word count of a page: from JSON-LD, metadata elements, or the text. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countWords } from '#backend/crawler/html/count-words.ts'
import { isoDate } from '#backend/crawler/metadata/dates.ts'
import { detectLanguage } from '#backend/crawler/metadata/detect-language.ts'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const TEXT = `<p>${'The old mill by the river was rebuilt by its neighbours, who had collected stones for it over many years. '.repeat(6)}</p>`

function read(html: string, url = 'https://site.example/a/page') {
  const bytes = new Uint8Array(Buffer.from(html))
  const rules = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }
  return (readPage({ bytes, contentType: 'text/html; charset=utf-8', status: 200, url }, rules) as PageReading).metadata
}
const data = (value: unknown) => `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`

const linked = suite('metadata from JSON-LD')

linked('JSON-LD wins over metadata elements, which win over the text', () => {
  const elements = meta('article:published_time', '2020-01-02') + meta('article:author', 'Meta Name') + meta('og:site_name', 'Meta Site')
  const text = `<article><h1>Mill</h1><span class="byline">By Text Name</span><time datetime="2019-01-01">1 January 2019</time>${TEXT}</article>`
  const item = {
    '@type': 'NewsArticle',
    author: { '@type': 'Person', name: 'Data Name' },
    datePublished: '2021-03-04T05:06:07+01:00',
    publisher: { name: 'Publisher' },
  }
  const all = read(data(item) + elements + text)
  assert.equal([all['authors'], all['published_time'], all['site_name']], ['Data Name', '2021-03-04T05:06:07+01:00', 'Meta Site'])
  const two = read(elements + text)
  assert.equal([two['authors'], two['published_time']], ['Meta Name', '2020-01-02'])
  const one = read(text)
  assert.equal([one['authors'], one['published_time']], ['Text Name', '2019-01-01'])
})

linked('references in a graph are followed; lists, nested types and escaped texts are read', () => {
  const found = read(
    data({
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': ['Article', 'BlogPosting'],
          headline: 'Mill',
          author: [{ '@id': '#ann' }, { name: 'Bo Lind' }, 'Cy Dahl'],
          image: { '@id': '#picture' },
          isPartOf: { '@id': '#page' },
          articleSection: ['Crafts &amp; Trades', 'Rivers'],
          keywords: 'mills, rivers',
        },
        { '@type': 'https://schema.org/WebPage', '@id': '#page', dateModified: '2021-05-06', inLanguage: 'en-GB' },
        { '@type': 'WebSite', name: 'The River Post' },
        { '@type': 'ImageObject', '@id': '#picture', contentUrl: '/mill.jpg' },
        { '@type': 'Person', '@id': '#ann', name: 'Ann  Berg' },
      ],
    }) + TEXT,
  )
  assert.is(found['authors'], 'Ann Berg; Bo Lind; Cy Dahl')
  assert.is(found['author'], 'Ann Berg; Bo Lind; Cy Dahl')
  assert.is(found['image'], 'https://site.example/mill.jpg')
  assert.is(found['section'], 'Crafts & Trades')
  assert.is(found['tags'], 'mills; rivers')
  assert.is(found['modified_time'], '2021-05-06')
  assert.is(found['site_name'], 'The River Post')
})

linked('of several articles in JSON-LD, only the article of this page counts', () => {
  const post = (name: string, url: string) => ({ '@type': 'BlogPosting', headline: name, url, author: name, datePublished: '2020-02-02' })
  const many = [post('First Post Here', '/1'), post('Second Post Here', '/2')]
  assert.is(read(data(many) + TEXT)['authors'], undefined)
  assert.is(read(data(many) + TEXT)['published_time'], undefined)
  assert.is(read(data(many) + TEXT, 'https://site.example/2?from=home')['authors'], 'Second Post Here')
})

linked('JSON-LD that is broken, too large, too deep or hostile is ignored and does no harm', () => {
  const good = { '@type': 'Article', author: 'Ann Berg' }
  assert.is(read(data('{"@type":"Article","author":') + data(good) + TEXT)['authors'], 'Ann Berg')
  assert.is(read(data(`<!-- ${JSON.stringify(good)} -->`) + TEXT)['authors'], 'Ann Berg')
  assert.is(read(data('{"@type":"Article","author":"Ann\n Berg"}') + TEXT)['authors'], 'Ann Berg')
  assert.is(read(data('['.repeat(100_000)) + data(good) + TEXT)['authors'], 'Ann Berg')
  assert.is(read(data(good) + data(`"${'x'.repeat(2_000_000)}"`) + TEXT)['authors'], 'Ann Berg')
  const hostile = '{"@type":"Article","__proto__":{"author":"Evil"},"constructor":{"name":"Evil"},"author":{"@id":"__proto__"}}'
  const found = read(data(hostile) + TEXT)
  assert.is(found['authors'], undefined)
  assert.is(({} as Record<string, unknown>)['author'], undefined)
  const loop = {
    '@graph': [
      { '@type': 'Article', author: { '@id': '#a' } },
      { '@id': '#a', name: { '@id': '#a' } },
    ],
  }
  assert.is(read(data(loop) + TEXT)['authors'], undefined)
  assert.is(read(`<template>${data(good)}</template>${TEXT}`)['authors'], undefined)
})

const elements = suite('metadata from metadata elements')

elements('repeated elements are all read; URLs of profiles are not authors', () => {
  const found = read(
    meta('article:author', 'https://social.example/ann') +
      '<meta name="citation_author" content="Berg, Ann"><meta name="citation_author" content="Lind, Bo">' +
      meta('article:tag', 'mills') +
      meta('article:tag', 'rivers; lakes') +
      TEXT,
  )
  assert.is(found['authors'], 'Berg, Ann; Lind, Bo')
  assert.is(found['tags'], 'mills; rivers; lakes')
  assert.is(found['citation_author'], 'Berg, Ann')
})

elements('values that the page itself defines under a key’s name stay unchanged', () => {
  const found = read(
    data({ '@type': 'Article', author: 'Ann Berg', image: '/x.png' }) +
      '<meta name="author" content="desk"><meta name="image" content="own.png">' +
      TEXT,
  )
  assert.equal([found['author'], found['authors'], found['image']], ['desk', 'Ann Berg', 'own.png'])
})

for (const [name, value] of [
  ['article:published_time', '2024-03-05T10:00:00Z'],
  ['dcterms.issued', '2024-03-05'],
  ['citation_publication_date', '2024/03/05'],
  ['parsely-pub-date', '2024-03-05T10:00:00+0000'],
] as const)
  elements(`date of ${name}`, () => {
    assert.is(read(`<meta name="${name}" content="${value}">${TEXT}`)['published_time']?.slice(0, 10), '2024-03-05')
  })

elements('the language comes from the html element, else from other declarations, else from the words', () => {
  const french = `<p>${'Le moulin est au bord de la rivière et les voisins sont venus pour le voir avec leurs enfants. '.repeat(4)}</p>`
  assert.is(read(`<html lang="pt-BR">${meta('og:locale', 'de_DE')}${french}`)['language'], 'pt-BR')
  assert.is(read(`<html lang="{{lang}}">${meta('og:locale', 'de_DE')}${french}`)['language'], 'de-DE')
  assert.is(read(`<meta http-equiv="Content-Language" content="nl, en">${french}`)['language'], 'nl')
  assert.is(read(french)['language'], 'fr')
})

const marks = suite('metadata from the text')

marks('microdata of the page counts, that of its comments does not', () => {
  const found = read(
    `<div itemscope itemtype="https://schema.org/BlogPosting"><meta itemprop="datePublished" content="2022-02-03"><span itemprop="author" itemscope itemtype="https://schema.org/Person">by <b itemprop="name">Ann Berg</b></span>
     ${TEXT}<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Bo Lind</span><meta itemprop="datePublished" content="2023-01-01"><time itemprop="dateModified" datetime="2023-01-01">x</time></div></div>`,
  )
  assert.equal([found['authors'], found['published_time'], found['modified_time']], ['Ann Berg', '2022-02-03', undefined])
})

marks('an author is a name: neither a job, nor a time, nor a link beside it', () => {
  const authors = (html: string) => read(`<meta property="og:type" content="article"><h1>Mill</h1>${html}${TEXT}`)['authors']
  assert.is(
    authors('<span class="byline"><span class="byline-name">By Mia Berg</span> <span class="byline-title">Science reporter</span></span>'),
    'Mia Berg',
  )
  assert.is(authors('<span class="byLine">By Bo Lind | <a href="/bo">Archive</a></span>'), 'Bo Lind')
  assert.is(authors('<div itemprop="author" itemscope itemtype="http://schema.org/Person">2:28 p.m. EDT July 18, 2013</div>'), undefined)
  assert.is(authors('<a rel="author" href="https://plus.google.com/1">Google+</a>'), undefined)
  assert.is(
    authors('<a rel="author" href="/mia">Mia Berg</a> <a rel="author" href="/mia">Zeige alle Beiträge von Mia Berg →</a>'),
    'Mia Berg',
  )
  assert.is(authors('<span itemprop="author">von Mia Berg</span>'), 'Mia Berg')
  assert.is(authors('<span itemprop="author">von Trapp</span>'), 'von Trapp')
})

marks('a date is recognised by more names of classes, in pages that are one form, and is the last change if its words say so', () => {
  const times = (html: string) => {
    const { published_time: published, modified_time: modified } = read(`<meta property="og:type" content="article">${html}`)
    return [published, modified]
  }
  for (const name of ['dateStamp first', 'articleDate', 'article_posted_date', 'date-display-single'])
    assert.equal(times(`<h1>Mill</h1><p class="${name}">Fri Jun 07 2013, 10:44</p>${TEXT}`), ['2013-06-07', undefined], name)
  assert.equal(times(`<form><h1>Mill</h1><p class="date">May 15, 2013</p>${TEXT}</form>`), ['2013-05-15', undefined])
  assert.equal(times(`<h1>Mill</h1><form><p class="date">May 15, 2013</p></form>${TEXT}`), [undefined, undefined])
  assert.equal(times(`<h1>Mill</h1><p class="dateStamp">Updated June 6, 2013</p>${TEXT}`), [undefined, '2013-06-06'])
})

marks('links to authors, times and bylines of the page are read, those of other articles, comments and lists are not', () => {
  const linkTo = read(
    `<article><h1>Mill</h1><a rel="author" href="/ann">Ann Berg</a>${TEXT}</article><div class="comments"><a rel="author">Bo Lind</a></div>`,
  )
  assert.is(linkTo['authors'], 'Ann Berg')
  const said = read(
    `<h1>Mühle</h1><p class="byline">Von Ann Berg, Redaktion | <span class="date">5. März 2024</span></p>${TEXT}<aside><p class="byline">By Bo Lind</p></aside>`,
  )
  assert.equal([said['authors'], said['published_time']], ['Ann Berg', '2024-03-05'])
  const block =
    '<div class="wp-block-post-author"><div class="wp-block-post-author__content"><p class="wp-block-post-author__name">Ann Berg</p></div></div>'
  assert.is(read(`<main><h1>Mill</h1>${TEXT}${block}</main>`)['authors'], 'Ann Berg')
  const updated = read(`<h1>Mill</h1>${TEXT}<p>Last updated on <time datetime="2024-04-01T00:00:00Z">1 April</time></p>`)
  assert.equal([updated['published_time'], updated['modified_time']], [undefined, '2024-04-01T00:00:00Z'])
  const both = read(`<h1>Mill</h1><time class="entry-date published updated" datetime="2024-04-01T09:30:00+02:00">1 April</time>${TEXT}`)
  assert.equal([both['published_time'], both['modified_time']], ['2024-04-01T09:30:00+02:00', '2024-04-01T09:30:00+02:00'])
  const teaser = `<article><h2>One</h2><a rel="author">Ann Berg</a><time datetime="2024-01-01">x</time>${TEXT}</article>`
  const list = read(teaser + teaser)
  assert.equal([list['authors'], list['published_time']], [undefined, undefined])
})

marks('the entries of a list of articles give the list neither a change, nor a section, nor a picture', () => {
  const entry = `<article itemscope itemtype="https://schema.org/BlogPosting"><h2>One</h2><img itemprop="image" src="/one.png" alt=""><time itemprop="dateModified" datetime="2024-01-01">x</time><i itemprop="articleSection">Wood</i>${TEXT}</article>`
  const { modified_time: modified, section, image } = read(`<h1>Blog</h1>${entry}${entry}`)
  assert.equal([modified, section, image], [undefined, undefined, undefined])
  const alone = read(`<h1>One</h1>${entry}`)
  assert.equal([alone['modified_time'], alone['section'], alone['image']], ['2024-01-01', 'Wood', 'https://site.example/one.png'])
})

marks('the entries of a list say nothing about the list: neither dates nor tags, be there one or several', () => {
  const marksOf = (html: string) => {
    const { published_time: published, tags } = read(html)
    return [published, tags]
  }
  const tag = '<a rel="tag" href="/tag/wood">wood</a>'
  const time = '<time datetime="2024-01-01T10:00:00Z">1 January</time>'
  const entry = `<li><h2><a href="/one">One</a></h2>${TEXT}${time}${tag}</li>`
  assert.equal(marksOf(`<h1>Tag: wood</h1><ul>${entry}</ul>`), [undefined, undefined])
  assert.equal(marksOf(`<h1>Blog</h1><ul>${entry}${entry}</ul>`), [undefined, undefined])
  const teaser = `<article><h2><a href="/one">One</a></h2>${TEXT}${tag}</article>`
  assert.equal(marksOf(`<h1>Blog</h1>${teaser}${teaser}`), [undefined, undefined])
  const own = `<h1>One</h1><ul><li><h2><a href="#part">Part</a></h2>${TEXT}</li><li>${time}</li><li>${tag}</li></ul>`
  assert.equal(marksOf(own), ['2024-01-01T10:00:00Z', 'wood'])
})

marks('beside the article of the page, other articles are teasers; the names of pages and persons are no names of other parts', () => {
  const teaser =
    '<article><h3>Dam</h3><a rel="author">Bo Lind</a><time datetime="2020-01-01">x</time><p>A short text of the dam.</p></article>'
  const own = `<article><h1>Mill</h1><a rel="author">Ann Berg</a><time datetime="2024-01-01">x</time>${TEXT}</article>`
  for (const html of [own + teaser.repeat(9), teaser + own]) {
    const { authors, published_time: published } = read(html)
    assert.equal([authors, published], ['Ann Berg', '2024-01-01'])
  }
  const card =
    '<address class="author h-card" itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann Berg</b></address>'
  assert.is(read(`<html itemscope itemtype="http://schema.org/WebSite"><body><h1>Mill</h1>${card}${TEXT}`)['authors'], 'Ann Berg')
  assert.is(read(`<meta property="og:type" content="article"><p class="author">Interview: Ann Berg</p>${TEXT}`)['authors'], 'Ann Berg')
  const placed = `<meta property="og:type" content="article"><p class="dateline">Cairo —</p><p class="date">5 March 2024</p>${TEXT}`
  assert.is(read(placed)['published_time'], '2024-03-05')
})

marks('a person in the text takes the place of the publisher as author, an agency and the publisher itself do not', () => {
  const authors = (byline: string, author = 'River Post') =>
    read(
      `${data({ '@type': 'NewsArticle', author: { name: author }, publisher: { name: 'River Post' } })}<h1>Mill</h1><p class="byline">${byline}</p>${TEXT}`,
    )['authors']
  assert.is(authors('By Ann Berg'), 'Ann Berg')
  assert.is(authors('Agencies'), 'River Post')
  assert.is(authors('River Post February'), 'River Post')
  assert.is(authors(''), 'River Post')
  assert.is(authors('By Ann Berg', 'Bo Lind'), 'Bo Lind')
})

marks('a date in the URL is the last source', () => {
  assert.is(read(TEXT, 'https://site.example/2024/03/05/mill')['published_time'], '2024-03-05')
  assert.is(read(TEXT, 'https://site.example/2024/03/05/')['published_time'], undefined)
})

const dates = suite('dates of pages')

for (const [given, wanted] of [
  ['2024-03-05T10:00:00+01:00', '2024-03-05T10:00:00+01:00'],
  ['2024-03-05T10:00:00.123Z', '2024-03-05T10:00:00Z'],
  ['2024-03-05 10:00:00 UTC', '2024-03-05T10:00:00Z'],
  ['2024-03-05T10:00:00-0730', '2024-03-05T10:00:00-07:30'],
  ['2024-03-05T10:00', '2024-03-05'],
  ['20240305', '2024-03-05'],
  ['2024-03', '2024-03'],
  ['1998', '1998'],
  ['Tue, 05 Mar 2024 10:00:00 GMT', '2024-03-05T10:00:00Z'],
  ['5 Mar 2024 10:00:00 EST', '2024-03-05T10:00:00-05:00'],
  ['Tue, 05 Mar 2024 10:00:00 CET', '2024-03-05T10:00:00+01:00'],
  ['Tue Mar 05 10:00:00 CEST 2024', '2024-03-05T10:00:00+02:00'],
  ['Tue Mar 5 10:00:00 2024', '2024-03-05'],
  ['March 5th, 2024', '2024-03-05'],
  ['Published on 5 March 2024 by Ann', '2024-03-05'],
  ['5 de marzo de 2024', '2024-03-05'],
  ['1er août 2023', '2023-08-01'],
  ['12 июля 2023', '2023-07-12'],
  ['12. července 2023', '2023-07-12'],
  ['2024年3月5日', '2024-03-05'],
  ['2024년 3월 5일', '2024-03-05'],
  ['05.03.2024', '2024-03-05'],
  ['25/03/2024', '2024-03-25'],
  ['Issue 3 of 2024, published 05.03.2024', '2024-03-05'],
  ['2024. március 5.', '2024-03-05'],
  ['2024 m. kovo 5 d.', '2024-03-05'],
  ['2024. gada 5. marts', '2024-03-05'],
  ['5. lipnja 2024.', '2024-06-05'],
  ['5 lipca 2024', '2024-07-05'],
  ['5. srpnja 2024.', '2024-07-05'],
  ['5. srpna 2024', '2024-08-05'],
  ['5. listopada 2024.', '2024-10-05'],
  ['5 listopada 2024', '2024-11-05'],
  ['5. mája 2024', '2024-05-05'],
  ['5 юни 2024 г.', '2024-06-05'],
  ['5 листопада 2024', '2024-11-05'],
  ['17 Agustus 2024', '2024-08-17'],
  ['5 d’octubre de 2024', '2024-10-05'],
  ['5 EKİM 2024', '2024-10-05'],
  ['Μάρτιος 5, 2024', '2024-03-05'],
  ['ngày 5 tháng 3 năm 2024', '2024-03-05'],
  ['٥ مارس، ٢٠٢٤', '2024-03-05'],
  ['5 كانون الثاني 2024', '2024-01-05'],
  ['5 במרץ 2024', '2024-03-05'],
  ['५ मई २०२४', '2024-05-05'],
  ['２０２４年３月５日（火）', '2024-03-05'],
  ['令和6年3月5日', '2024-03-05'],
  ['平成元年5月1日', '1989-05-01'],
  ['民國113年3月5日', '2024-03-05'],
  ['5 มีนาคม พ.ศ. 2567', '2024-03-05'],
  ['5 มี.ค. 2567', '2024-03-05'],
  ['05/03/2567', '2024-03-05'],
  ['15 اسفند 1402', '2024-03-05'],
  ['۱۴۰۲/۱۲/۱۵', '2024-03-05'],
  ['30 اسفند 1402', null],
  ['1402/12/15', null],
  ['1445-09-10', null],
  ['1709632800', '2024-03-05T10:00:00Z'],
  ['03/04/2024', null],
  ['2024-02-30', null],
  ['2024-13-01', null],
  ['0001-01-01T00:00:00Z', null],
  ['1970-01-01T00:00:00Z', null],
  ['yesterday', null],
  ['', null],
] as const)
  dates(`${given || 'nothing'}: ${wanted ?? 'none'}`, () => {
    assert.is(isoDate(given), wanted)
  })

const bylines = suite('author and date in lines without any mark')

const article = (lines: string, heading = 'A bridge') => `<h1>${heading}</h1>${lines}${`<p>${PROSE} ${PROSE}</p>`.repeat(4)}`
const PROSE = 'The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.'

for (const [lines, author, date] of [
  ['<p>By Ana Ruiz, 3 March 2024</p>', 'Ana Ruiz', '2024-03-03'],
  ['<p>By <a href="/ana">Ana Ruiz</a> | March 3, 2024</p>', 'Ana Ruiz', '2024-03-03'],
  [
    `<div><p>${PROSE} ${PROSE}</p>By Ana Ruiz and Tom Hill on Sunday, 3rd March 2024 at 10:30 GMT</div>`,
    'Ana Ruiz; Tom Hill',
    '2024-03-03',
  ],
  ['<p>Von Jörg van der Berg am 3. März 2024, 10:30 Uhr</p>', 'Jörg van der Berg', '2024-03-03'],
  ['<p>3. März 2024 – Von Anna Müller-Lang</p>', 'Anna Müller-Lang', '2024-03-03'],
  ['<p>Par Éloïse Dupont, le 1er mars 2024</p>', 'Éloïse Dupont', '2024-03-01'],
  ['<p>Por María del Carmen Ruiz — 3 de marzo de 2024</p>', 'María del Carmen Ruiz', '2024-03-03'],
  ['<div>By Ana Ruiz<br>2024-03-03</div>', 'Ana Ruiz', '2024-03-03'],
  ['<div>By Ana Ruiz</div><div>3 March 2024</div>', 'Ana Ruiz', '2024-03-03'],
  ['<div>3 March 2024</div><div>By Ana Ruiz</div>', 'Ana Ruiz', '2024-03-03'],
  ['<p>Veröffentlicht am 3. März 2024</p>', undefined, '2024-03-03'],
  ['<p>Publié le 3 mars 2024</p>', undefined, '2024-03-03'],
  // Not certain, or about something else.
  ['<p>3 March 2024</p>', undefined, undefined],
  ['<p>By Popular Demand</p>', undefined, undefined],
  ['<p>By Ana Ruiz, 03/04/2024</p>', undefined, undefined],
  ['<p>By Ana Ruiz, born 3 March 1970</p>', undefined, undefined],
  ['<p>By the end of 3 March 2024</p>', undefined, undefined],
  ['<p>Updated 3 March 2024</p>', undefined, undefined],
  [`<p>${PROSE} ${PROSE}</p><p>${PROSE} ${PROSE}</p><p>By Ana Ruiz, 3 March 2024</p>`, undefined, undefined],
  ['<h2>The first bridge</h2><p>By Ana Ruiz, 3 March 2024</p>', undefined, undefined],
] as const)
  bylines(lines.replaceAll(PROSE, 'A paragraph.'), () => {
    const metadata = read(article(lines))
    assert.is(metadata['authors'], author)
    assert.is(metadata['published_time'], date)
  })

bylines('text beside the headline, before it, is no part of the line behind it', () => {
  const page = `<div>Local news <h1>A bridge</h1>By Ana Ruiz, 3 March 2024</div>${`<p>${PROSE} ${PROSE}</p>`.repeat(4)}`
  const { authors, published_time } = read(page)
  assert.equal([authors, published_time], ['Ana Ruiz', '2024-03-03'])
})

bylines('marks have precedence, and a line that is no byline is read in linear time', () => {
  assert.is(read(article('<p class="author">Eva Kant</p><p>By Ana Ruiz, 3 March 2024</p>'))['authors'], 'Eva Kant')
  assert.is(read(article(`<p>${'- '.repeat(50)}x 3 March 2024 ${'-,'.repeat(10)}</p>`))['published_time'], undefined)
})

const words = suite('words and language of a text')

for (const [text, wanted] of [
  ['two words', 2],
  ["don't count state-of-the-art twice — or (brackets)", 6],
  ['网站抓取', 4],
  ['私はコンピューターです。', 9],
  ['สวัสดีครับ', 2],
  ['Привет, мир — да', 3],
  ['안녕하세요 여러분', 2],
  ['می‌خواهم بروم', 2],
  [' … ', 0],
] as const)
  words(`${text}: ${wanted}`, () => {
    assert.is(countWords(text), wanted)
  })

words('words are counted in the kept text, without URLs of links and without removed parts', () => {
  assert.is(
    read('<nav>not this one</nav><main><h1>Two words</h1><p>See <a href="https://site.example/a-b">the <b>next</b> one</a>.</p></main>')[
      'word_count'
    ],
    '7',
  )
  assert.is(read('<p>网站抓取服务的说明 and two</p>')['word_count'], '11')
})

for (const [language, text] of Object.entries({
  en: 'The mill was built by the people of the village and it is still in use for their bread.',
  de: 'Die Mühle wurde von den Leuten des Dorfes gebaut und ist noch immer für das Brot in Betrieb.',
  fr: 'Le moulin est construit par les gens du village et sert encore pour faire leur pain.',
  es: 'El molino fue construido por la gente del pueblo y todavía se usa para hacer el pan.',
  pt: 'O moinho foi construído pelas pessoas da aldeia e ainda é usado para fazer o pão.',
  it: 'Il mulino è stato costruito dalla gente del paese e viene ancora usato per fare il pane.',
  nl: 'De molen is door de mensen van het dorp gebouwd en wordt nog steeds voor het brood gebruikt.',
  sv: 'Kvarnen byggdes av folket i byn och den används fortfarande för att baka bröd som är gott.',
  pl: 'Młyn został zbudowany przez ludzi ze wsi i jest nadal używany do mielenia mąki na chleb.',
  tr: 'Değirmen köyün insanları tarafından yapıldı ve bugün de ekmek için kullanılan bir yer oldu.',
  ru: 'Мельница была построена жителями деревни, и она до сих пор работает на них и для них.',
  uk: 'Млин був побудований людьми з села, і він досі працює для них та їхніх дітей, як і раніше.',
  ar: 'بنيت الطاحونة من قبل أهل القرية وهي لا تزال تعمل حتى الآن في هذا المكان على النهر',
  fa: 'این آسیاب را مردم روستا ساخته‌اند و هنوز هم برای پختن نان از آن استفاده می شود',
  he: 'הטחנה נבנתה על ידי אנשי הכפר והיא עדיין פועלת היום',
  el: 'Ο μύλος χτίστηκε από τους ανθρώπους του χωριού και λειτουργεί ακόμα',
  hi: 'यह चक्की गाँव के लोगों ने बनाई थी और यह आज भी नदी के किनारे पर काम करती है।',
  zh: '这座磨坊是村里的人建造的，至今仍在使用。',
  ja: 'この水車小屋は村の人々によって建てられ、今も使われています。',
  ko: '이 물레방아는 마을 사람들이 지었고 지금도 사용되고 있습니다.',
  th: 'โรงสีแห่งนี้สร้างโดยชาวบ้านและยังใช้งานอยู่',
}))
  words(`the language of a text is found: ${language}`, () => {
    assert.is(detectLanguage(text), language)
  })

words('names, numbers and code have no language', () => {
  for (const text of ['', 'Tea', '12 34 56', '```js\nconst the = and(of)\n```', 'qwx zzt plk vvn grb tsk mnq wrt ytr bvc'])
    assert.is(detectLanguage(text), null)
})

for (const part of [linked, elements, marks, dates, bylines, words]) part.run()
