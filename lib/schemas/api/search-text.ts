/** Bounds of the search box's text, after trimming. */
export const SEARCH_TEXT = { minCharacters: 2, maxCharacters: 100 } as const
