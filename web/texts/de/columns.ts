export const results = 'Ergebnisse'
