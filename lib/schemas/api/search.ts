import * as z from 'zod'
import { cloudScopeSchema } from './scope'
import { SEARCH_TEXT } from './search-text'

const searchTextSchema = z.string().trim().min(SEARCH_TEXT.minCharacters).max(SEARCH_TEXT.maxCharacters)

/** Search params of the route. */
export const searchQuerySchema = cloudScopeSchema.extend({ q: searchTextSchema })

export const searchInputSchema = cloudScopeSchema.extend({ text: searchTextSchema })
export type SearchInput = z.input<typeof searchInputSchema>
