import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { aliasOffers, gpuOffers } from '@/lib/domain/flavor/gpu-offers'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { notReadYet } from '@/lib/services/fit/not-read'
import { inSlices } from '@/lib/util/in-slices'
import { naturalOrder } from '@/lib/util/natural-order'

const byName = (a: { name: string }, b: { name: string }): number => naturalOrder(a.name, b.name)

const gpuTraits = ({ hosts }: Fleet): string[] => {
  const traits = new Set<string>()
  for (const { pgpus } of hosts)
    for (const { providers } of pgpus)
      for (const { provider } of providers)
        for (const trait of provider.traits ?? []) if (trait.startsWith('CUSTOM_')) traits.add(trait)
  return [...traits].toSorted(naturalOrder)
}

const hostNames = ({ hosts }: Fleet): string[] =>
  hosts
    .filter(({ pgpus, strays }) => pgpus.length + strays.length > 0)
    .flatMap(({ service }) => (service.value === null ? [] : [service.value.host]))
    .toSorted(naturalOrder)

const keepOffers = keepByMark<Omit<FlavorOffers, 'cloud'>>('flavor-offers')

function* offersInSteps(fleet: Fleet): Generator<void, Omit<FlavorOffers, 'cloud'>> {
  const { projects, aggregates, flavors } = fleet.input.facts
  const types = yield* gpuOffers(fleet)
  const aliases = aliasOffers(fleet)
  yield
  const named = projects.value
    ?.filter(({ isEnabled }) => isEnabled)
    .map(({ id, name }) => ({ id, name }))
    .toSorted(byName)
  yield
  return {
    types: types.map(({ hosts, ...offer }) => ({ ...offer, hostCount: hosts.length })),
    aliases: aliases.map(({ hosts, ...alias }) => ({ ...alias, hostCount: hosts.length })),
    traits: gpuTraits(fleet),
    projects: named ?? null,
    aggregates:
      aggregates.value
        ?.map(({ name, hosts, metadata }) => ({
          name,
          hosts: [...hosts],
          properties: Object.entries(metadata).map(([key, value]) => ({ key, value })),
        }))
        .toSorted(byName) ?? null,
    hosts: hostNames(fleet),
    flavors:
      flavors.value
        ?.filter((flavor) => isGpuFlavor(fleet, flavor))
        .map(({ id, name, isPublic }) => ({ id, name, isPublic }))
        .toSorted(byName) ?? null,
  }
}

/** What a flavor can be built from. */
export const offerFlavors = async (ctx: ServiceContext, input: CloudScope): Promise<FlavorOffers> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) throw notReadYet(cloud)
  const offers = await keepOffers(ctx.database, cloud.id, {
    mark: fleetMark(fleet),
    signal: ctx.signal,
    work: (signal) => inSlices(offersInSteps(fleet), signal),
  })
  return { cloud: cloud.name, ...offers }
}
