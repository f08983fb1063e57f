import { ApiError } from '../http/api-error'
import type { ApiAnswer } from '../http/api-request'
import { collectionLinks, type KeystoneCall } from './keystone-handler'

type CollectionInput<Row> = {
  /** Name of the list in the answer. */
  key: string
  rows: readonly Row[]
  bodyOf: (row: Row) => unknown
  idOf: (row: Row) => string
  /** Projects, users and domains are paged by marker from 2025.1 on; the others are cut. */
  isPaged?: boolean
  /** The option of the list's own section; null: `[DEFAULT] list_limit`. */
  listLimit?: number | null
}

type Cut<Row> = { rows: readonly Row[]; isTruncated: boolean; limit: number | null }

/** Through 2024.1: `list_limit` cuts, and no link leads on. */
const cutOnly = <Row>(rows: readonly Row[], limit: number | null): Cut<Row> => {
  const isTruncated = limit !== null && rows.length > limit
  return { rows: isTruncated ? rows.slice(0, limit) : rows, isTruncated, limit }
}

const queryLimit = ({ cloud, request }: KeystoneCall): number | null => {
  const text = request.query.get('limit')
  return text === null ? null : Math.min(Number.parseInt(text, 10), cloud.keystone.maxDbLimit)
}

/**
 * From 2025.1 on (keystone/resource/backends/sql.py: list_projects): by id, at most `max_db_limit`. Without a limit in the
 * query or the options the cut is not reported.
 */
const pageOf = <Row>(
  call: KeystoneCall,
  { rows, idOf }: CollectionInput<Row>,
  limit: number | null,
): Cut<Row> => {
  const marker = call.request.query.get('marker')
  const sorted = rows.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const start = marker === null ? 0 : sorted.findIndex((row) => idOf(row) === marker) + 1
  if (marker !== null && start === 0) throw new ApiError(404, `Marker ${marker} could not be found.`)
  const page = sorted.slice(start, start + (limit ?? call.cloud.keystone.maxDbLimit))
  return { rows: page, isTruncated: limit !== null && page.length >= limit, limit }
}

/** 2025.1 puts the path of the web server before the path a second time (LP 2134871). */
const nextLink = ({ cloud, request }: KeystoneCall, query: URLSearchParams): string => {
  const prefix = cloud.release.name === '2025.1' ? '/identity/v3' : ''
  return `${request.origin}${prefix}/identity${request.path}?${query}`
}

/** A list as Keystone wraps it (keystone/server/flask/common.py: wrap_collection). */
export const collection = <Row>(call: KeystoneCall, input: CollectionInput<Row>): ApiAnswer => {
  const { release, keystone } = call.cloud
  const configured = input.listLimit ?? keystone.defaultListLimit
  const limit = release.hasPages ? (queryLimit(call) ?? configured) : configured
  const cut =
    release.hasPages && input.isPaged === true ? pageOf(call, input, limit) : cutOnly(input.rows, limit)
  const links = collectionLinks(call)
  const last = cut.rows.at(-1)
  if (release.hasPages && cut.isTruncated && last !== undefined) {
    const query = new URLSearchParams(call.request.query)
    query.set('marker', input.idOf(last))
    query.set('limit', String(limit))
    links.next = nextLink(call, query)
  }
  return {
    status: 200,
    body: {
      [input.key]: cut.rows.map(input.bodyOf),
      links,
      ...(cut.isTruncated ? { truncated: true } : {}),
    },
  }
}
