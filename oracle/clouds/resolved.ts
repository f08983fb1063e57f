import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { loadClouds } from '@/lib/openstack/clouds/load-clouds'
import { toBaseUrl } from '@/lib/openstack/keystone/keystone-call'
import { authBody, tokenSchema, toToken } from '@/lib/openstack/keystone/token-body'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { toIdentity, toScope } from '@/lib/openstack/session/account-auth'
import { findEndpoint, toBaseUrl as toServiceUrl } from '@/lib/openstack/session/find-endpoint'
import type { OracleAnswer } from '../harness/open-oracle'
import type { CatalogEntryInput, CloudsInput } from './generate'

const resolvedSchema = z.object({
  url: z.string(),
  body: z.unknown(),
  verify: z.boolean(),
  caFile: z.string().nullable(),
  hasCertificate: z.boolean(),
  timeout: z.number().nullable(),
  endpoints: z.object({ nova: z.string().nullable(), placement: z.string().nullable() }),
})
export type Resolved = z.infer<typeof resolvedSchema>
type RefusedCloud = { refused: string }

/** By `cloud|region`; ours have all their refusals in one text. */
export type ResolvedClouds = {
  clouds: Readonly<Record<string, Resolved | RefusedCloud>>
  refusals: string
}

const named = { id: 'x', name: 'x', domain: { id: 'x', name: 'x' } }

const tokenWith = (catalog: readonly CatalogEntryInput[]) =>
  toToken(
    't',
    tokenSchema.parse({
      token: { issued_at: '', expires_at: '', user: named, project: named, catalog },
    }).token,
  )

const endpointOf = (config: CloudConfig, input: CloudsInput, service: 'nova' | 'placement') => {
  const override = config.services[service]?.endpointOverride
  if (override !== undefined) return toServiceUrl(service, override)
  try {
    return findEndpoint({ token: tokenWith(input.catalog), config, service }).url
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error
    // Ours only: openstacksdk takes the first of several regions.
    return error.message.includes('in the regions') ? 'SEVERAL' : null
  }
}

const DEFAULT_TIMEOUT_MS = 30_000

const resolve = (config: CloudConfig, input: CloudsInput): Resolved | RefusedCloud => {
  try {
    const isSystemOnly =
      config.auth.kind === 'password' && config.auth.project === null && config.auth.trustId === null
    const scope = toScope(config, isSystemOnly ? 'system' : 'project')
    return {
      url: `${toBaseUrl(config.authUrl)}/auth/tokens`,
      body: authBody({ identity: toIdentity(config.auth), scope }),
      verify: config.verify,
      caFile: config.caFile,
      hasCertificate: config.clientCertificate !== null,
      timeout: config.timeoutMs === DEFAULT_TIMEOUT_MS ? null : config.timeoutMs / 1000,
      endpoints: {
        nova: endpointOf(config, input, 'nova'),
        placement: endpointOf(config, input, 'placement'),
      },
    }
  } catch (error) {
    return { refused: String(error) }
  }
}

/** What the console makes of an input, read from files as it reads them. */
export const resolveOurs = async (input: CloudsInput, folder: string): Promise<ResolvedClouds> => {
  const work = path.join(folder, 'work')
  await rm(folder, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  for (const [name, text] of Object.entries(input.files)) await writeFile(path.join(work, name), text)
  const loaded = await loadClouds({
    environment: { XDG_CONFIG_DIRS: path.join(folder, 'none'), ...input.environment },
    workingDirectory: work,
    homeDirectory: path.join(folder, 'none'),
    systemDirectory: path.join(folder, 'none'),
    defaults: { timeoutMs: DEFAULT_TIMEOUT_MS },
  })
  const clouds: Record<string, Resolved | RefusedCloud> = {}
  for (const config of loaded.clouds) {
    const key = `${config.name}|${config.region ?? ''}`
    clouds[key] ??= resolve(config, input)
  }
  return { clouds, refusals: loaded.problems.map(({ message }) => message).join(' ') }
}

/** The domain that the OpenStack command line assumes; openstacksdk alone sends none, which Keystone refuses. */
const withDefaultDomain = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
    const isNamed = typeof value === 'object' && value !== null && 'name' in value && !('domain' in value)
    const isUser = isNamed && 'password' in value
    return isUser ? { ...value, domain: { id: 'default' } } : value
  })

const completeProject = (body: unknown): unknown => {
  const parsed = z
    .object({ auth: z.looseObject({ scope: z.looseObject({ project: z.looseObject({}) }) }) })
    .safeParse(body)
  if (!parsed.success) return body
  const { project } = parsed.data.auth.scope
  const whole = 'id' in project || 'domain' in project ? project : { ...project, domain: { id: 'default' } }
  return { auth: { ...parsed.data.auth, scope: { project: whole } } }
}

/** Keystone refuses a scope together with an application credential, which openstacksdk sends when the entry has one. */
const withoutCredentialScope = (body: unknown): unknown => {
  const parsed = z
    .object({ auth: z.looseObject({ identity: z.looseObject({ application_credential: z.unknown() }) }) })
    .safeParse(body)
  if (!parsed.success || parsed.data.auth.identity.application_credential === undefined) return body
  const { scope: _scope, ...auth } = parsed.data.auth
  return { auth }
}

/** Upper and lower case of a host name mean the same. */
const withPlainHost = (text: string): string => {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}

const normalize = (raw: unknown): Resolved => {
  const found = resolvedSchema.parse(raw)
  const { nova, placement } = found.endpoints
  return {
    ...found,
    body: withoutCredentialScope(completeProject(withDefaultDomain(found.body))),
    endpoints: {
      nova: nova === null ? null : toServiceUrl('nova', withPlainHost(nova)),
      placement: placement === null ? null : toServiceUrl('placement', withPlainHost(placement)),
    },
  }
}

const refusedSchema = z.object({ refused: z.string() })

export const resolveTheirs = (answer: OracleAnswer): ResolvedClouds => {
  if ('refused' in answer) return { clouds: {}, refusals: answer.refused }
  const clouds: Record<string, Resolved | RefusedCloud> = {}
  const refusals: string[] = []
  for (const [key, raw] of Object.entries(z.record(z.string(), z.unknown()).parse(answer.value))) {
    const refused = refusedSchema.safeParse(raw)
    if (refused.success) refusals.push(refused.data.refused)
    else clouds[key] = normalize(raw)
  }
  return { clouds, refusals: refusals.join(' ') }
}
