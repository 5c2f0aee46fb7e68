export const results = 'Results'
