/** The kinds of runs, as the API calls them; each language has its own words, with their articles. */
export type Noun = 'crawl' | 'search' | 'sitemap'
