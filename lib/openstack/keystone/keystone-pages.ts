import * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import { parseAnswer } from '../parse-answer'
import { toQuery } from '../to-query'
import type { RequestMeter } from '../transport/types'
import type { KeystoneCall } from './keystone-call'
import type { KeystoneList } from './types'

type ListInput<Schema extends z.ZodType, Item> = {
  tokenId: string
  meter?: RequestMeter | undefined
  path: string
  filters?: Readonly<Record<string, string | undefined>>
  /** Of a page. */
  schema: Schema
  itemsOf: (page: z.output<Schema>) => readonly Item[]
  /** What the list holds: `projects`. */
  what: string
  /** The option that cuts the list where it can't be paged. */
  option?: string
  /**
   * Only where Keystone pages (2025.1 and newer: projects, users, domains, groups). Without `limit` it cuts such a list at
   * max_db_limit and does not report it (keystone/server/flask/common.py: build_driver_hints). Older ones ignore the parameter.
   */
  isPaged?: boolean
}

/** Keystone's default for `[DEFAULT] max_db_limit`; it sends less where the option is lower, and links on. */
const PAGE_SIZE = '1000'
const MAX_PAGES = 500

/** What Keystone adds to a list: the address of the next page, and whether it was cut. */
export const pageMetaSchema = z.object({
  links: z.object({ next: z.string().nullish() }).nullish(),
  truncated: z.boolean().nullish(),
})

const idOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'id' in item ? item.id : item

/**
 * A list of Keystone to its end. Of `links.next` only the query is used: the token is never sent to another address, and
 * behind a proxy the link may name one that can't be reached. What may be missing is in `incompleteBecause`.
 */
export const listPages = async <Schema extends z.ZodType, Item>(
  call: KeystoneCall,
  input: ListInput<Schema, Item>,
): Promise<KeystoneList<Item>> => {
  const { path, tokenId, meter, what, option = '[DEFAULT] list_limit' } = input
  const byId = new Map<unknown, Item>()
  const requested = new Set<string>()
  const incomplete = (reason: string): KeystoneList<Item> => ({
    items: [...byId.values()],
    incompleteBecause: `Keystone's list of ${what} is incomplete after ${byId.size}: ${reason}.`,
  })
  let query = toQuery({ ...input.filters, ...(input.isPaged ? { limit: PAGE_SIZE } : {}) })
  while (requested.size < MAX_PAGES) {
    requested.add(query)
    const answer = await call.send({ method: 'GET', path: `${path}${query}`, tokenId, meter })
    const read = { answer, service: 'keystone', cloud: call.cloud, what: `GET /v3${path}` } as const
    const meta = parseAnswer({ schema: pageMetaSchema, ...read })
    const before = byId.size
    const items = input.itemsOf(parseAnswer({ schema: input.schema, ...read }))
    for (const item of items) byId.set(idOf(item), item)
    const next = meta.links?.next ?? null
    if (next === null) {
      return meta.truncated === true
        ? incomplete(`Keystone cut it (${option}); raise the option`)
        : { items: [...byId.values()], incompleteBecause: null }
    }
    query = queryOf(next)
    if (requested.has(query) || (byId.size === before && items.length > 0))
      return incomplete(`Keystone cut it (${option}) and links to the same page again; raise the option`)
  }
  return incomplete(`the console reads at most ${MAX_PAGES} pages; raise [DEFAULT] max_db_limit`)
}

const queryOf = (link: string): string => {
  const at = link.indexOf('?')
  const query = new URLSearchParams(at === -1 ? '' : link.slice(at + 1).replace(/#.*$/, ''))
  return query.size === 0 ? '' : `?${query}`
}

/** The items of a list that is needed as a whole. @throws OpenStackError when it is incomplete. */
export const wholeList = <Item>(call: KeystoneCall, list: KeystoneList<Item>): Item[] => {
  if (list.incompleteBecause === null) return [...list.items]
  throw new OpenStackError(list.incompleteBecause, {
    kind: 'invalid-answer',
    service: 'keystone',
    cloud: call.cloud,
  })
}
