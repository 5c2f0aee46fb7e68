/** Completes a URL as people and models write it: without a scheme it is https. */
export const webUrl = (text: string): string => {
  const trimmed = text.trim()
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}
