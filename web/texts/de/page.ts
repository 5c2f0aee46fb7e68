// Was in index.html selbst steht.
export const description = 'Crawle, durchsuche und kartiere das Web von deinem eigenen Server aus.'
export const noScript = 'Diese Anwendung braucht JavaScript.'
