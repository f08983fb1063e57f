import * as z from 'zod'

/** Bounds of the search box's text, after trimming. */
export const SEARCH_TEXT = { fewestCharacters: 2, mostCharacters: 100 } as const

export const searchTextSchema = z
  .string()
  .trim()
  .min(SEARCH_TEXT.fewestCharacters, `must have at least ${SEARCH_TEXT.fewestCharacters} characters`)
  .max(SEARCH_TEXT.mostCharacters, `must have at most ${SEARCH_TEXT.mostCharacters} characters`)
