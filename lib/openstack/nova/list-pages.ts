import type * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import type { VersionedCall } from '../versioned-call'
import type { NovaList } from './types'

type ListPagesInput<Schema extends z.ZodType, Item> = {
  call: VersionedCall
  schema: Schema
  path: string
  query: Readonly<Record<string, string | undefined>>
  itemsOf: (page: z.infer<Schema>) => readonly Item[]
  linksOf: (page: z.infer<Schema>) => readonly { rel: string; href: string }[]
  maxPages?: number | undefined
  atVersion?: string | undefined
}

/** Nova's `[api] max_limit` is 1000 unless the operator lowered it; it then sends less and links on. */
const PAGE_SIZE = '1000'
const MAX_PAGES = 1000

/** Follows the links of a list. Only their query is taken: behind a proxy their host may be one that we can't reach. */
export const listPages = async <Schema extends z.ZodType, Item>(
  input: ListPagesInput<Schema, Item>,
): Promise<NovaList<Item>> => {
  const first = new URLSearchParams({ limit: PAGE_SIZE })
  for (const [name, value] of Object.entries(input.query)) if (value !== undefined) first.set(name, value)
  const items: Item[] = []
  const seenQueries = new Set<string>()
  let answeredAt: string | null = null
  let query: string | null = first.toString()
  while (query !== null) {
    if (seenQueries.size >= (input.maxPages ?? MAX_PAGES)) return { items, isComplete: false, answeredAt }
    if (seenQueries.has(query)) throw repeated(input.call, input.path)
    seenQueries.add(query)
    const call = { method: 'GET', path: `${input.path}?${query}`, atVersion: input.atVersion } as const
    const answer = await input.call.send(call)
    const page = input.call.parse(input.schema, call, answer)
    for (const item of input.itemsOf(page)) items.push(item)
    answeredAt ??= toIso(answer.headers.date)
    query = nextQuery(input.linksOf(page))
  }
  return { items, isComplete: true, answeredAt }
}

const nextQuery = (links: readonly { rel: string; href: string }[]): string | null => {
  const next = links.find((link) => link.rel === 'next')
  if (next === undefined) return null
  const at = next.href.indexOf('?')
  return at === -1 ? null : next.href.slice(at + 1)
}

const toIso = (date: string | undefined): string | null => {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const repeated = (call: VersionedCall, path: string) =>
  new OpenStackError(
    `Nova of cloud "${call.cloud}" links from one page of ${path} to the same page again, so the list was given up.`,
    { kind: 'invalid-answer', service: 'nova', cloud: call.cloud },
  )
