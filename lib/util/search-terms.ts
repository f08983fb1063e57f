/** The words of a search text in lower case; none if it is blank. */
export const searchTerms = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether `text`, in any case, contains every one of `words` (of `searchTerms`). */
export const hasTerms = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}
