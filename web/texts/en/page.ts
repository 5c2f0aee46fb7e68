// Texts in index.html itself.
export const description = 'Crawl, search and map the web from your own server.'
export const noScript = 'This application needs JavaScript.'
