/** Which version of the code has read a page. */

/** The build replaces it by a hash of the code that reads pages; sources that run without a build do not have it. */
declare const HASH_OF_READING_CODE: string | undefined

/** The same for two pages only if the same code has read both: an update may read the same bytes differently. */
export const READING_RULES: string = typeof HASH_OF_READING_CODE === 'undefined' ? 'sources' : HASH_OF_READING_CODE
