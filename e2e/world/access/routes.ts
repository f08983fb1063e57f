import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Action } from '@/lib/domain/access/permissions'
import { whyRefused } from '@/lib/domain/access/token-access'
import type { Caller } from './callers'
import { sampleOf } from './sample'

type Admission = Action | 'account' | 'session' | 'anyone'

/** One method of one path, with an address and a body that its schemas take. */
export type ApiRoute = { method: string; path: string; may: Admission; address: string; body: unknown }

type Described = {
  'x-permission': Admission
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: object }[]
  requestBody?: { content: { 'application/json': { schema: object } } }
}

const NO_SUCH_UUID = '00000000-0000-4000-8000-000000000000'

/** Values for rules that JSON Schema cannot express. */
const BY_HAND: Record<string, Record<string, unknown>> = {
  'POST /api/v1/changes': { rule: 'CUSTOM_{type}' },
  'POST /api/v1/changes/preview': { rule: 'CUSTOM_{type}' },
  'POST /api/v1/prices': { amount: '0.45', currency: 'EUR', validFrom: '2999-01-01' },
  'POST /api/v1/own-servers': {
    requestKey: '0'.repeat(32),
    image: NO_SUCH_UUID,
    network: NO_SUCH_UUID,
    securityGroups: [],
  },
  'POST /api/v1/saved-views': { query: 'q=cmp' },
  'PUT /api/v1/saved-views/{id}': { query: 'q=cmp' },
  'POST /api/v1/webhooks': { wantsChanges: true },
  'PUT /api/v1/webhooks/{id}': { wantsChanges: true },
}

/** Ids of nothing that exists: the first of each kind belongs to a caller. */
const NO_SUCH_ID = 99_999

const partOf = (schema: object): string => {
  const sample = sampleOf(schema)
  return String(sample === 1 ? NO_SUCH_ID : sample)
}

const addressOf = (template: string, { parameters }: Described): string => {
  const query = new URLSearchParams()
  let address = template
  for (const { name, in: location, required, schema } of parameters) {
    if (location === 'path') address = address.replace(`{${name}}`, encodeURIComponent(partOf(schema)))
    else if (required) query.set(name, partOf(schema))
  }
  return query.size === 0 ? address : `${address}?${query}`
}

/** The routes as the console itself describes them; a test of their sources holds the description to them. */
export const apiRoutes = async (url: string): Promise<ApiRoute[]> => {
  const { paths } = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase()
      const schema = described.requestBody?.content['application/json'].schema
      const sample = schema === undefined ? undefined : sampleOf(schema)
      const byHand = BY_HAND[`${method} ${template}`]
      const body = byHand === undefined ? sample : Object.assign({}, sample, byHand)
      return {
        method,
        path: template,
        may: described['x-permission'],
        address: addressOf(template, described),
        body,
      }
    }),
  )
}

/** The status that a route must answer a caller with; null: any but 401 and 403. */
export const refusalOf = (may: Admission, { role, apiToken }: Caller): 401 | 403 | null => {
  if (may === 'anyone') return null
  if (role === null) return 401
  if (may === 'session') return apiToken === undefined ? null : 401
  if (role === 'choosing') return 401
  if (may === 'account') return null
  return whyRefused({ roles: [role], action: may, apiToken }) === null ? null : 403
}

/** Static files of the build, as a browser requests them. */
export const staticFiles = (): string[] =>
  readdirSync(path.resolve('.next/static'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.posix.join('/_next/static', path.relative('.next/static', entry.parentPath), entry.name),
    )
