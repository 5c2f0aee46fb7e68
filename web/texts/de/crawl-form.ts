export const thisPage = 'Diese Seite'
export const n50Pages = '50 Seiten'
export const wholeSite = 'Ganze Website'
