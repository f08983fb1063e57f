import { z } from 'zod'
import { parseBody } from '../http/parse-body'
import { effectiveLimit } from './effective-limit'
import { forbid, isAdmin, type NovaCall, type NovaHandler, type NovaRoute, param } from './nova-handler'
import type { LegacyQuotas, ServerFlavor } from './nova-state'

/** Nova's names and what they are called in Keystone; VGPU is never among them (nova/quota.py). */
const UNIFIED: Readonly<Record<keyof LegacyQuotas, string>> = {
  instances: 'servers',
  cores: 'class:VCPU',
  ram: 'class:MEMORY_MB',
}
const NAMES = ['instances', 'cores', 'ram'] as const

/** `[quota]`, as by default. */
const LEGACY: LegacyQuotas = { instances: 10, cores: 20, ram: 51_200 }

const LOCAL: Record<string, number> = {
  key_pairs: 100,
  metadata_items: 128,
  server_groups: 10,
  server_group_members: 10,
}

/** The quota class `default`, which holds for projects without their own quotas. */
const siteDefaults = ({ nova }: NovaCall['cloud']): LegacyQuotas => ({
  ...LEGACY,
  ...nova.legacyQuotas.get('default'),
})

/** With unified limits the values in Keystone, and 0 without one; else those in Nova's database. */
const countsOf = ({ cloud }: NovaCall, projectId: string): LegacyQuotas => {
  const { quotaDriver, legacyQuotas } = cloud.nova
  if (quotaDriver === 'legacy') return { ...siteDefaults(cloud), ...legacyQuotas.get(projectId) }
  const of = (name: keyof LegacyQuotas): number => effectiveLimit(cloud, UNIFIED[name], projectId) ?? 0
  return { instances: of('instances'), cores: of('cores'), ram: of('ram') }
}

const show: NovaHandler = (call) => {
  const project = param(call, 'project')
  if (!isAdmin(call) && project !== call.projectId) forbid('os_compute_api:os-quota-sets:show')
  return { status: 200, body: { quota_set: { id: project, ...LOCAL, ...countsOf(call, project) } } }
}

const defaults: NovaHandler = (call) => {
  const { cloud } = call
  const of = (name: keyof LegacyQuotas): number => effectiveLimit(cloud, UNIFIED[name], null) ?? 0
  const own =
    cloud.nova.quotaDriver === 'legacy'
      ? siteDefaults(cloud)
      : { instances: of('instances'), cores: of('cores'), ram: of('ram') }
  return { status: 200, body: { quota_set: { id: param(call, 'project'), ...LOCAL, ...own } } }
}

/** What this cloud does not count has 0 in use. */
const detail: NovaHandler = (call) => {
  const project = param(call, 'project')
  if (!isAdmin(call) && project !== call.projectId) forbid('os_compute_api:os-quota-sets:detail')
  const servers = [...call.cloud.nova.servers.values()].filter(({ projectId }) => projectId === project)
  const used: Partial<Record<string, number>> = { instances: servers.length }
  const entries = Object.entries({ ...LOCAL, ...countsOf(call, project) })
  return {
    status: 200,
    body: {
      quota_set: {
        id: project,
        ...Object.fromEntries(
          entries.map(([name, limit]) => [name, { limit, in_use: used[name] ?? 0, reserved: 0 }]),
        ),
      },
    },
  }
}

/** What a project uses: with unified limits by Placement's count, as Nova reports it. */
const usedOf = ({ cloud }: NovaCall, project: string): LegacyQuotas => {
  const servers = [...cloud.nova.servers.values()].filter(({ projectId }) => projectId === project)
  const sum = (of: (flavor: ServerFlavor) => number): number =>
    servers.reduce((total, { flavor }) => total + of(flavor), 0)
  return {
    instances: servers.length,
    cores: sum(({ vcpus }) => vcpus),
    ram: sum(({ memoryMib }) => memoryMib),
  }
}

/** `GET /limits`: of the caller's project. */
const ownLimits: NovaHandler = (call) => {
  const [limits, used] = [countsOf(call, call.projectId), usedOf(call, call.projectId)]
  return {
    status: 200,
    body: {
      limits: {
        rate: [],
        absolute: {
          maxServerMeta: LOCAL.metadata_items,
          maxTotalKeypairs: LOCAL.key_pairs,
          maxTotalInstances: limits.instances,
          maxTotalCores: limits.cores,
          maxTotalRAMSize: limits.ram,
          totalInstancesUsed: used.instances,
          totalCoresUsed: used.cores,
          totalRAMUsed: used.ram,
        },
      },
    },
  }
}

const updateSchema = z.object({
  quota_set: z.object({
    instances: z.number().int().min(-1).optional(),
    cores: z.number().int().min(-1).optional(),
    ram: z.number().int().min(-1).optional(),
  }),
})

/** With the unified limits driver a change is taken with 200 and has no effect. */
const update: NovaHandler = (call) => {
  const project = param(call, 'project')
  const input = parseBody(updateSchema, call.request.body).quota_set
  const { legacyQuotas, quotaDriver } = call.cloud.nova
  if (quotaDriver === 'legacy') {
    const quotas = { ...legacyQuotas.get(project) }
    for (const name of NAMES) {
      const value = input[name]
      if (value !== undefined) quotas[name] = value
    }
    legacyQuotas.set(project, quotas)
  }
  return { status: 200, body: { quota_set: { ...LOCAL, ...countsOf(call, project) } } }
}

const AT = '/os-quota-sets/:project'
const POLICY = 'os_compute_api:os-quota-sets'

export const quotaRoutes: NovaRoute[] = [
  { method: 'GET', path: AT, policy: `${POLICY}:show`, access: 'reader', handler: show },
  {
    method: 'GET',
    path: `${AT}/defaults`,
    policy: `${POLICY}:defaults`,
    access: 'reader',
    handler: defaults,
  },
  {
    method: 'GET',
    path: `${AT}/detail`,
    policy: `${POLICY}:detail`,
    access: 'reader',
    handler: detail,
  },
  {
    method: 'GET',
    path: '/limits',
    policy: 'os_compute_api:limits',
    access: 'reader',
    handler: ownLimits,
  },
  { method: 'PUT', path: AT, policy: `${POLICY}:update`, access: 'admin', handler: update },
]
