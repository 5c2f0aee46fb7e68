export const thisPage = 'This page'
export const n50Pages = '50 pages'
export const wholeSite = 'Whole site'
