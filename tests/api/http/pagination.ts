/** Which rows a query asks for, and the links to the pages beside it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageLinks, pageWindow, queryText } from '#backend/http/pagination.ts'

const pages = suite('pages of lists')

const HREF = 'https://seine.example/api/v1/x/'

const WINDOWS: [query: Record<string, unknown>, count: number, page: number, pageSize: number, offset: number, why: string][] = [
  [{}, 60, 1, 25, 0, 'the first page by default'],
  [{ page: '2', page_size: '7' }, 8, 2, 7, 7, 'the last page, which is not full'],
  [{ page: 'last', page_size: '7' }, 15, 3, 7, 14, 'the last page by its name'],
  [{ page: 'last' }, 0, 1, 25, 0, 'an empty list has one page'],
  [{ page_size: '1' }, 5, 1, 1, 0, 'the smallest size'],
  [{ page_size: '100' }, 5, 1, 100, 0, 'the largest size'],
  [{ page_size: '101' }, 5, 1, 100, 0, 'a larger size'],
  [{ page_size: '0' }, 5, 1, 25, 0, 'a size of zero is none'],
  [{ page_size: '-1' }, 5, 1, 25, 0, 'a size below zero is none'],
  [{ page_size: '1.5' }, 5, 1, 25, 0, 'a part of a row is no size'],
  [{ page_size: 'x' }, 5, 1, 25, 0, 'a word is no size'],
  [{ 'params[page]': '2', 'params[page_size]': '3' }, 7, 2, 3, 3, 'the names of older clients'],
  [{ 'params[page]': '9', 'params[page_size]': '3' }, 7, 9, 3, 24, 'a page of theirs that is not there is empty'],
  [{ 'params[page]': 'x', 'params[page_size]': '3' }, 7, 4, 3, 9, 'and so is one that is no number'],
  [{ page: '', 'params[page]': '2' }, 60, 2, 25, 25, 'an empty parameter is absent'],
  [{ page: ['1', '2'] }, 60, 2, 25, 25, 'of a repeated parameter the last counts'],
]
for (const [query, count, page, pageSize, offset, why] of WINDOWS)
  pages(why, () => assert.equal(pageWindow(query, count), { page, pageSize, offset, count }))

pages('a missing page is refused', () => {
  for (const page of ['0', '-1', '4', '1.0', 'x', '9'.repeat(16)])
    assert.throws(
      () => pageWindow({ page, page_size: '3' }, 9),
      (error: { code?: string }) => error.code === 'invalid_page',
      page,
    )
})

pages('numbers and booleans, as arguments of tools have them, are read as text', () => {
  assert.equal([queryText({ a: 7 }, 'a'), queryText({ a: false }, 'a'), queryText({ a: {} }, 'a')], ['7', 'false', undefined])
})

pages('links keep the other parameters; the first page has no number, and a page beyond the list leads back to the last', () => {
  const links = (query: string, page: number, count: number) => pageLinks(HREF + query, { page, pageSize: 10, count, offset: 0 })
  assert.equal(links('', 1, 10), { next: null, previous: null })
  assert.equal(links('?a=b&page=2', 2, 21), { next: `${HREF}?a=b&page=3`, previous: `${HREF}?a=b` })
  assert.equal(links('?page=3', 3, 21), { next: null, previous: `${HREF}?page=2` })
  assert.equal(links('?params%5Bpage%5D=9', 9, 21), { next: null, previous: `${HREF}?page=3` })
  assert.equal(links('?page=2', 2, 0), { next: null, previous: HREF })
})

pages.run()
