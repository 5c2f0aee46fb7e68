/** First and last row shown, counted from 1, and whether there is more on either side. */
export function pageRange(page: number, count: number, pageSize: number) {
  const first = count === 0 ? 0 : (page - 1) * pageSize + 1
  const last = Math.min(count, page * pageSize)
  return { first, last, hasPrevious: page > 1, hasNext: last < count }
}
