import { createParser, parseAsBoolean, parseAsNativeArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs'
import { gpuSearchParamsBy } from './gpu-params'

/** For the browser; a page on the server has `gpuListing`. */
export const gpuSearchParams = gpuSearchParamsBy({
  createParser,
  parseAsBoolean,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
})
