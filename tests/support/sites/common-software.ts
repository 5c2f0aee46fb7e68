/** Sites with the links of common software: forty articles among several times as many actions, sessions and other views of them. */
import { createServer } from 'node:http'
import { serve } from '#tests/support/stubs/serve.ts'

export const ARTICLES = 40
const ON_A_LIST = 10

/** `article`: the number of the article that the page has; absent on all others. */
type SoftwarePage = { article?: number; links: string[] }
type Software = (url: URL, session: () => string) => SoftwarePage

const times = <T>(count: number, of: (no: number) => T): T[] => Array.from({ length: count }, (_, no) => of(no))
/** The links of a list's page, from 0, to its articles and to the next page. */
const list = (page: number, article: (no: number) => string, next: (page: number) => string): string[] => [
  ...times(ON_A_LIST, (no) => article(page * ON_A_LIST + no)),
  ...((page + 1) * ON_A_LIST < ARTICLES ? [next(page + 1)] : []),
]

/** A forum for visitors without cookies: each link has a session, and each post a page. */
const forum: Software = ({ pathname, searchParams }, session) => {
  const menu = ['./index.php?', './ucp.php?mode=login&', './ucp.php?mode=register&', './search.php?search_id=active_topics&']
  const topic = searchParams.get('t')
  const isTopic = pathname === '/viewtopic.php'
  const posts = times(10, (no) => Number(topic) * 10 + no).flatMap((post) => [
    `./viewtopic.php?t=${topic}&p=${post}&`,
    `./posting.php?mode=quote&p=${post}&`,
    `./memberlist.php?mode=viewprofile&u=${post}&`,
    `./report.php?p=${post}&`,
  ])
  const links = isTopic
    ? [...posts, `./viewtopic.php?t=${topic}&view=print&`, `./posting.php?mode=reply&t=${topic}&`]
    : pathname === '/' || pathname === '/viewforum.php'
      ? list(
          Number(searchParams.get('start') ?? 0) / ON_A_LIST,
          (no) => `./viewtopic.php?t=${no}&`,
          (page) => `./viewforum.php?start=${page * ON_A_LIST}&`,
        )
      : []
  const isWhole = isTopic && !searchParams.has('p') && !searchParams.has('view')
  return { ...(isWhole && { article: Number(topic) }), links: [...menu, ...links].map((link) => `${link}sid=${session()}`) }
}

const wiki: Software = ({ pathname, search, searchParams }) => {
  const title = searchParams.get('title') ?? pathname.replace('/wiki/', '')
  const views = ['action=edit', 'action=history', 'action=info', 'printable=yes', `oldid=${title.length}`]
  const special = ['WhatLinksHere', 'RecentChangesLinked'].map((name) => `/wiki/Special:${name}/${title}`)
  const tools = [
    ...views.map((view) => `/index.php?title=${title}&${view}`),
    ...special,
    `/index.php?title=Special:UserLogin&returnto=${title}`,
  ]
  const article = /^\/wiki\/A(\d+)$/.exec(pathname)?.[1]
  if (pathname === '/') return { links: ['/wiki/A0', ...tools] }
  if (searchParams.get('action') === 'history') return { links: times(50, (no) => `/index.php?title=${title}&diff=${no + 1}&oldid=${no}`) }
  if (article === undefined || search !== '') return { links: tools }
  const next = [1, 2].map((no) => Number(article) * 2 + no).filter((no) => no < ARTICLES)
  return { article: Number(article), links: [...tools, ...next.map((no) => `/wiki/A${no}`)] }
}

const shop: Software = ({ pathname, searchParams }, session) => {
  const product = /^\/p(\d+)\.html$/.exec(pathname)?.[1]
  if (product !== undefined) {
    const actions = ['catalog/product_compare/add', 'wishlist/index/add', 'checkout/cart/add', 'sendfriend/product/send']
    return { article: Number(product), links: actions.map((action) => `/${action}/product/${product}/key/${session()}/`) }
  }
  if (pathname !== '/' && pathname !== '/list.html') return { links: [] }
  const chosen = [...searchParams].filter(([name]) => name !== 'p')
  const choose = (name: string, value: string | number) =>
    `/list.html?${[...chosen.filter(([other]) => other !== name), [name, value]].map((pair) => pair.join('=')).join('&')}`
  const filters = {
    color: ['red', 'blue', 'green'],
    size: ['s', 'm', 'l'],
    dir: ['asc', 'desc'],
    order: ['name', 'price'],
    mode: ['grid', 'list'],
  }
  return {
    links: [
      ...Object.entries(filters).flatMap(([name, values]) => values.map((value) => choose(name, value))),
      ...list(
        Number(searchParams.get('p') ?? 1) - 1,
        (no) => `/p${no}.html`,
        (page) => choose('p', page + 1),
      ),
    ],
  }
}

const portal: Software = ({ pathname, search, searchParams }) => {
  const here = encodeURIComponent(pathname + search)
  const menu = ['login', 'register', 'password'].map((name) => `/user/${name}?destination=${here}`)
  const node = /^\/node\/(\d+)$/.exec(pathname)?.[1]
  if (node !== undefined)
    return {
      article: Number(node),
      links: [...menu, ...['print', 'printmail', 'printpdf', 'comment/reply'].map((name) => `/${name}/${node}`)],
    }
  const isList = pathname === '/' || pathname === '/news'
  return {
    links: [
      ...menu,
      ...(isList
        ? list(
            Number(searchParams.get('page') ?? 0),
            (no) => `/node/${no}`,
            (page) => `/news?page=${page}`,
          )
        : []),
    ],
  }
}

const weblog: Software = ({ pathname, search }) => {
  const post = /^\/2026\/01\/post-(\d+)\/$/.exec(pathname)?.[1]
  const menu = ['/wp-login.php', '/wp-json/', '/xmlrpc.php?rsd', '/feed/']
  if (post !== undefined && search === '') {
    const views = ['feed/', 'amp/', '?share=x', '?share=y', ...times(5, (no) => `?replytocom=${post}${no}`)]
    return { article: Number(post), links: [...menu, ...views.map((view) => pathname + view)] }
  }
  const page = Number(/^\/page\/(\d+)\/$/.exec(pathname)?.[1] ?? (pathname === '/' ? 1 : 0))
  return {
    links: [
      ...menu,
      ...(page === 0
        ? []
        : list(
            page - 1,
            (no) => `/2026/01/post-${no}/`,
            (next) => `/page/${next + 1}/`,
          )),
    ],
  }
}

/** Each link redirects to its number with a title. */
const board: Software = ({ pathname }) => {
  const topic = /^\/topic\/(\d+)-/.exec(pathname)?.[1]
  return topic === undefined ? { links: times(ARTICLES, (no) => `/topic/${no}`) } : { article: Number(topic), links: ['/'] }
}

export const SOFTWARE: Record<string, Software> = { board, forum, portal, shop, weblog, wiki }

/** Serves a site of the given kind until the current test ends. */
export async function startSoftwareSite(kind: string) {
  let sessions = 0
  const session = () => `${(sessions += 1)}`.padStart(32, '0abcdef123456789')
  const { url } = await serve(
    createServer((request, response) => {
      const at = new URL(request.url ?? '/', 'http://site.test')
      const number = /^\/topic\/(\d+)$/.exec(at.pathname)?.[1]
      if (number !== undefined) response.writeHead(301, { location: `/topic/${number}-a-title-of-words` })
      else if (at.pathname === '/robots.txt') response.writeHead(404)
      else response.writeHead(200, { 'content-type': 'text/html' })
      const { article, links } = SOFTWARE[kind]!(at, session)
      const text = article === undefined ? `Nothing is at ${request.url}` : `ARTICLE-${article} has a text of its own`
      response.end(
        `<title>${kind}</title><p>${text}.</p>${links.map((link) => `<a href="${link.replaceAll('&', '&amp;')}">more</a>`).join(' ')}`,
      )
    }),
  )
  return { url: `${url}/` }
}
