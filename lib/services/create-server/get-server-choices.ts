import 'server-only'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { ResourceNeed } from '@/lib/domain/create-server/after-creation'
import { imageProblem } from '@/lib/domain/create-server/image-problem'
import { effectiveLimit } from '@/lib/domain/limits/effective-limit'
import { limitDeltas, usedOfName } from '@/lib/domain/limits/next-server'
import { createGlance } from '@/lib/openstack/glance/create-glance'
import { createNeutron } from '@/lib/openstack/neutron/create-neutron'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { OpenStackSession } from '@/lib/openstack/session/types'
import type { ServerChoices } from '@/lib/schemas/api/create-server'
import { type ServerChoicesScope, serverChoicesScopeSchema } from '@/lib/schemas/api/create-server-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { CatalogCache } from '@/lib/services/catalog/catalog-cache'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { askUsages } from '@/lib/services/quota/ask-usages'
import { naturalOrder } from '@/lib/util/natural-order'
import { describeFailure, isSignInEnd, signInEnded } from './describe-failure'
import { limitReads } from './limit-reads'
import { ownFlavor } from './own-flavor'
import { ownOpenStack } from './own-openstack'

type Choices<Item> = { items: Item[] | null; problem: string | null }

/** One list; a service that fails or is missing leaves the other lists. */
const readChoices = async <Item>(
  { log }: Pick<ServiceContext, 'log'>,
  what: string,
  read: () => Promise<Choices<Item>>,
): Promise<Choices<Item>> => {
  try {
    return await read()
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    if (isSignInEnd(error)) throw signInEnded()
    log.warn({ err: error, what }, 'Choices for a new server could not be read')
    return { items: null, problem: `The ${what} cannot be listed: ${describeFailure(error)}.` }
  }
}

const byName = (a: { name: string }, b: { name: string }): number => naturalOrder(a.name, b.name)

type Own = { session: OpenStackSession; projectId: string; flavor: Flavor }

/** Own images first, then those of others; the newest of each first. */
const readImages = async ({ session, projectId, flavor }: Own): Promise<ServerChoices['images']> => {
  const { items, isComplete } = await createGlance({ account: session }).listImages()
  const images = items.map((image) => ({
    id: image.id,
    name: image.name,
    isOwn: image.ownerId === projectId,
    problem: imageProblem(image, flavor),
  }))
  return {
    items: [...images.filter(({ isOwn }) => isOwn), ...images.filter(({ isOwn }) => !isOwn)],
    problem: isComplete ? null : `Only the newest ${items.length} images are listed.`,
  }
}

/** Own networks first. */
const readNetworks = async ({ session, projectId }: Own): Promise<ServerChoices['networks']> => {
  const networks = await createNeutron({ account: session }).listNetworks(projectId)
  const sorted = networks.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || byName(a, b))
  return {
    items: sorted.map(({ id, name, hasSubnet }) => ({
      id,
      name,
      problem: hasSubnet ? null : 'has no subnet',
    })),
    problem: null,
  }
}

const readSecurityGroups = async ({ session, projectId }: Own): Promise<ServerChoices['securityGroups']> => {
  const groups = await createNeutron({ account: session }).listSecurityGroups(projectId)
  return { items: groups.toSorted(byName), problem: null }
}

/** Limits that Nova itself reports, by the name in Keystone. */
const NOVA_LIMITS = {
  servers: 'instances',
  'class:VCPU': 'cores',
  'class:MEMORY_MB': 'memoryMib',
} as const

/** Listed in this order, after those of GPUs. */
const PLAIN_RESOURCES = ['class:VCPU', 'class:PCPU', 'class:MEMORY_MB', 'class:DISK_GB', 'servers']

const isOfNova = (name: string): name is keyof typeof NOVA_LIMITS => Object.hasOwn(NOVA_LIMITS, name)

/** GPUs and the like: limits that only Keystone has. They are none where Nova does not use unified limits. */
const unifiedNeeds = async (
  ctx: ServiceContext,
  { session, projectId, flavor }: Own,
  { limits, fleet }: CatalogCache,
): Promise<ResourceNeed[]> => {
  const deltas = limitDeltas(flavor)
  const names = [...deltas].filter(([name]) => !isOfNova(name))
  const account = ctx.accounts.find((one) => one.cloud === session.cloud)
  if (limits === null || account === undefined || names.length === 0) return []
  const { uses } = await askUsages({ account, projectIds: [projectId], now: ctx.now, countsServers: true })
  const use = uses.get(projectId)
  return names.flatMap(([resourceName, needs]) => {
    const limit = effectiveLimit(fleet, limits.view, { own: limits.own, projectId, resourceName })
    if (limit.kind !== 'number') return []
    const used =
      use === undefined || use.usages === null ? null : usedOfName(fleet, use, { resourceName, deltas })
    return [{ resourceName, needs, limit: limit.value, used }]
  })
}

const readQuota = async (
  ctx: ServiceContext,
  own: Own,
  catalog: CatalogCache,
): Promise<ServerChoices['quota']> => {
  const [unified, novas] = await Promise.all([
    unifiedNeeds(ctx, own, catalog),
    createNova({ account: own.session }).getOwnLimits(),
  ])
  const ofNova = [...limitDeltas(own.flavor)].flatMap(([resourceName, needs]) =>
    isOfNova(resourceName) ? [{ resourceName, needs, ...novas[NOVA_LIMITS[resourceName]] }] : [],
  )
  const rankOf = ({ resourceName }: ResourceNeed): number => {
    const rank = PLAIN_RESOURCES.indexOf(resourceName)
    return rank === -1 ? 0 : rank + 1
  }
  return { items: [...unified, ...ofNova].toSorted((a, b) => rankOf(a) - rankOf(b)), problem: null }
}

/**
 * Images, networks, key pairs, security groups and quota for a new server, read from OpenStack now with the token of the
 * person who asks. Nothing of it is stored.
 */
export const getServerChoices = async (
  ctx: ServiceContext,
  input: ServerChoicesScope,
): Promise<ServerChoices> => {
  requirePermission(ctx, 'server.choose')
  const member = requireProject(ctx)
  const { flavor: id } = parseInput(serverChoicesScopeSchema, input)
  const cloud = await findCloud(ctx, { cloud: member.cloud })
  const { flavor, catalog } = ownFlavor(ctx, cloud, { id, projectId: member.scope.id })
  limitReads(member)
  const session = await ownOpenStack(ctx, member)
  const own: Own = { session, projectId: member.scope.id, flavor }
  const [images, networks, keyPairs, securityGroups, quota] = await Promise.all([
    readChoices(ctx, 'images', () => readImages(own)),
    readChoices(ctx, 'networks', () => readNetworks(own)),
    readChoices(ctx, 'key pairs', async () => ({
      items: (await createNova({ account: session }).listKeyPairs()).toSorted(naturalOrder),
      problem: null,
    })),
    readChoices(ctx, 'security groups', () => readSecurityGroups(own)),
    readChoices(ctx, 'quotas', () => readQuota(ctx, own, catalog)),
  ])
  return { images, networks, keyPairs, securityGroups, quota }
}
