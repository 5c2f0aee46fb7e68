/** API keys as their team sees them: whole for the maker and the owner of the team, masked for other members. */

/** Enough to tell one key from another: `sn-a…wxyz`; an unknown text stays empty. */
export const maskKey = (key: string): string => key && `${key.slice(0, 4)}…${key.slice(-4)}`

/** Whether an answer holds the key itself. */
export const isWholeKey = ({ key }: { key: string }): boolean => key !== '' && !key.includes('…')
