/** The articles of the three shops, which show the same pages: one table lists what a crawl of each must find. */

export type Tea = { no: number; name: string; about: string }

export const PAGE_SIZE = 3

const NAMES = ['Assam', 'Bancha', 'Ceylon', 'Darjeeling', 'Earl Grey', 'Genmaicha']

export const TEAS: Tea[] = NAMES.map((name, at) => ({
  no: at + 1,
  name,
  about: `${name} is tea number ${at + 1} of the shop. It is picked by hand in spring, dried in the shade for two days, and tastes best with water that has just stopped boiling. A pot of it lasts an afternoon, and nobody has asked for milk so far.`,
}))

export const ABOUT =
  'The shop stands at the old harbour since 1921. It sells tea by weight, ships every order on the day on which it comes, and takes back what is not liked, whether the tin was opened or not.'

/** Path and heading of every page, from `/` on. The last list has no next page. */
export const PAGES: Record<string, string> = {
  '/': 'Tea shop',
  '/about': 'About the shop',
  '/teas?page=1': 'Teas, page 1',
  '/teas?page=2': 'Teas, page 2',
  ...Object.fromEntries(TEAS.map(({ name, no }) => [`/teas/${no}`, name])),
}

/** The calls of the shops' scripts. */
export async function teasOfPage(page: number): Promise<{ teas: Tea[]; next: number | null }> {
  return (await fetch(`/api/teas?page=${page}`)).json()
}
export async function teaOf(no: string): Promise<Tea> {
  return (await fetch(`/api/teas/${no}`)).json()
}
