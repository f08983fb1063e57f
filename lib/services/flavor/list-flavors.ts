import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isGpuFlavor } from '@/lib/domain/fence/gpu-flavors'
import { fitGap, flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { requestWords } from '@/lib/domain/fit/request-words'
import { summarizeFit } from '@/lib/domain/fit/summarize-fit'
import { serversOfFlavor } from '@/lib/domain/flavor/servers-of-flavor'
import { whoMayUse } from '@/lib/domain/flavor/who-may-use'
import type { FlavorList, FlavorSummary } from '@/lib/schemas/api/flavor'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { loadFitFindings } from '@/lib/services/fit/fit-findings'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { inSlices } from '@/lib/util/in-slices'

type Counted = Omit<FlavorSummary, 'findings'>

const keepCounted = keepByMark<Counted[]>('flavor-counts')

const countFlavor = (fleet: Fleet, flavor: Flavor): Counted => {
  const request = readFlavorRequest(flavor)
  const reached = reachedTypes(fleet, request)
  const { id, name, isPublic, isDisabled } = flavor
  return {
    id,
    name,
    isPublic,
    isDisabled,
    asks: requestWords(flavor, request, reached, gpuAmountsIn(fleet, request)),
    types: reached.map(({ typeId, name: typeName }) => ({ typeId, name: typeName })),
    projects: whoMayUse(fleet, flavor),
    servers: serversOfFlavor(fleet, flavor)?.length ?? null,
    ...summarizeFit(fleet, flavorQuestion(flavor)),
  }
}

/** Thousands of hosts times hundreds of flavors take seconds. */
function* countInSteps(fleet: Fleet, flavors: readonly Flavor[]): Generator<void, Counted[]> {
  const counted: Counted[] = []
  for (const flavor of flavors) {
    counted.push(countFlavor(fleet, flavor))
    yield
  }
  return counted
}

const nothing = (cloud: string, isRead: boolean, because: string): FlavorList => ({
  cloud,
  isRead,
  readAt: null,
  gap: null,
  flavors: null,
  because,
  withoutGpu: 0,
})

/** Flavors that ask for a GPU, with how many servers of each fit by what was read last. */
export const listFlavors = async (ctx: ServiceContext, input: CloudScope): Promise<FlavorList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const loaded = await loadFleet(ctx, cloud)
  if (loaded === null) return nothing(cloud.name, false, 'OpenStack has not been read yet')
  const { fleet } = loaded
  const { flavors } = fleet.input.facts
  if (flavors.value === null)
    return nothing(cloud.name, true, `Nova's flavors could not be read: ${flavors.error}`)
  const ofGpus = flavors.value.filter((flavor) => isGpuFlavor(fleet, flavor))
  const [counted, findings] = await Promise.all([
    keepCounted(ctx.database, cloud.id, {
      mark: fleetMark(loaded),
      signal: ctx.signal,
      work: (signal) => inSlices(countInSteps(fleet, ofGpus), signal),
    }),
    loadFitFindings(ctx, cloud),
  ])
  return {
    cloud: cloud.name,
    isRead: true,
    readAt: flavors.at,
    gap: fitGap(fleet),
    flavors: counted.map((flavor) => ({ ...flavor, findings: findings.ofFlavor(flavor.id) })),
    because: null,
    withoutGpu: flavors.value.length - ofGpus.length,
  }
}
