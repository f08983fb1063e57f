/** Digit runs padded, so that plain comparison puts cmp-2 before cmp-10. For long lists, whose keys are computed once. */
export const naturalKey = (text: string): string =>
  text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))

/** Comparison for sort: cmp-2 before cmp-10, case aside. */
export const naturalOrder = (a: string, b: string): number => {
  const [keyA, keyB] = [naturalKey(a), naturalKey(b)]
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0
}

/** Rank of each text in natural order; equal texts share no rank, so a rank names one entry. */
export const naturalRanks = (texts: readonly string[]): Int32Array => {
  const keys = texts.map(naturalKey)
  const order = texts.map((_, index) => index)
  order.sort((a, b) => {
    const [keyA = '', keyB = ''] = [keys[a], keys[b]]
    return keyA < keyB ? -1 : keyA > keyB ? 1 : a - b
  })
  const ranks = new Int32Array(texts.length)
  for (const [rank, index] of order.entries()) ranks[index] = rank
  return ranks
}
