/** Lets the browser do what waits, a click or a frame, before a long piece of work goes on. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
