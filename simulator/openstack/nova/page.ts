import { ApiError } from '../http/api-error'
import { type NovaCall, novaUrl, queryNumber } from './nova-handler'

/** One page of a list that is paged by marker, and the link to the next one while there may be more. */
export const pageOf = <Item>(
  call: NovaCall,
  items: readonly Item[],
  { idOf, path }: { idOf: (item: Item) => string; path: string },
): { items: Item[]; links: { rel: string; href: string }[] } => {
  const marker = call.request.query.get('marker')
  const start = marker === null ? 0 : items.findIndex((item) => idOf(item) === marker) + 1
  if (marker !== null && start === 0) throw new ApiError(400, `marker [${marker}] not found`)
  const requested = queryNumber(call, 'limit')
  // No limit, or 0, requests the largest page.
  const size = Math.min(
    requested === null || requested === 0 ? call.state.maxLimit : requested,
    call.state.maxLimit,
  )
  const page = items.slice(start, start + size)
  const last = page.at(-1)
  if (last === undefined || page.length < size) return { items: page, links: [] }
  const query = new URLSearchParams(call.request.query)
  query.set('marker', idOf(last))
  return { items: page, links: [{ rel: 'next', href: `${novaUrl(call, path)}?${query}` }] }
}
