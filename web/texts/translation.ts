/** Translates a text of the server, which is English. A `label` is one of a plugin's form; other texts are messages. */
export type Translation = (text: string, kind?: 'message' | 'label') => string
export type TranslationLoader = () => Promise<Translation>
