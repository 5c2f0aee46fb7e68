/** Translates a message of the server, which is English. */
export type Translation = (message: string) => string
export type TranslationLoader = () => Promise<Translation>
