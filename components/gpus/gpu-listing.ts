import {
  createLoader,
  createParser,
  parseAsBoolean,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import type { GpuListing } from '@/lib/domain/gpu-list/first-gpus'
import { gpuSearchParamsBy, listingOf } from './gpu-params'

const load = createLoader(
  gpuSearchParamsBy({
    createParser,
    parseAsBoolean,
    parseAsNativeArrayOf,
    parseAsString,
    parseAsStringLiteral,
  }),
)

/** The list that a page's search params ask for, on the server. */
export const gpuListing = (searchParams: Record<string, string | string[] | undefined>): GpuListing =>
  listingOf(load(searchParams))
