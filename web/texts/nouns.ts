/** The kinds of runs, named as in the API; each language translates them. */
export type Noun = 'crawl' | 'search' | 'sitemap'
