import { resolve } from 'node:path'

/** The file that the user typed: npm changes the working folder, but a relative path starts at the folder of the user. */
export const typedPath = (file: string): string => resolve(process.env['INIT_CWD'] ?? '.', file)
