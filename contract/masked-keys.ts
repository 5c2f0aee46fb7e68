/** API keys as members see them: complete for their creator and the owner of the team, masked for others. */

/** Enough to distinguish keys: `sn-a…wxyz`; a text that is not known stays empty. */
export const maskKey = (key: string): string => key && `${key.slice(0, 4)}…${key.slice(-4)}`

/** Whether a response contains the complete key. */
export const isWholeKey = ({ key }: { key: string }): boolean => key !== '' && !key.includes('…')
