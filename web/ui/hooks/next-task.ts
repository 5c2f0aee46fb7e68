/** Lets the browser handle pending clicks and frames before a long piece of work continues. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
