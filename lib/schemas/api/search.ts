import * as z from 'zod'
import { cloudScopeSchema } from './scope'

/** Bounds of the search box's text, after trimming. */
export const SEARCH_TEXT = { fewestCharacters: 2, mostCharacters: 100 } as const

const searchTextSchema = z.string().trim().min(SEARCH_TEXT.fewestCharacters).max(SEARCH_TEXT.mostCharacters)

/** Search params of the route. */
export const searchQuerySchema = cloudScopeSchema.extend({ q: searchTextSchema })

export const searchInputSchema = cloudScopeSchema.extend({ text: searchTextSchema })
export type SearchInput = z.input<typeof searchInputSchema>
