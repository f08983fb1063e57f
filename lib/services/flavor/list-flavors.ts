import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { fitGap } from '@/lib/domain/fit/explain-fit'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { nearestMiss } from '@/lib/domain/fit/nearest-miss'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { requestText } from '@/lib/domain/fit/request-text'
import { summarizeFit } from '@/lib/domain/fit/summarize-fit'
import { arrangeFlavors, isFull } from '@/lib/domain/flavor/arrange-flavors'
import { serversOfFlavor } from '@/lib/domain/flavor/servers-of-flavor'
import { whoMayUse } from '@/lib/domain/flavor/who-may-use'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import type { FlavorList, FlavorSummary } from '@/lib/schemas/api/flavor'
import { type FlavorListScope, flavorListScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { loadFitFindings } from '@/lib/services/fit/fit-findings'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { inSlices } from '@/lib/util/in-slices'
import { oncePer } from '@/lib/util/once-per'
import { pageOf } from '@/lib/util/page-of'

/** A flavor with what depends neither on findings nor on the nearest miss. */
export type CountedFlavor = Omit<FlavorSummary, 'findings' | 'nearest'>

const keepCounted = keepByMark<CountedFlavor[]>('flavor-counts')

const countFlavor = (fleet: Fleet, flavor: Flavor): CountedFlavor => {
  const request = readFlavorRequest(flavor)
  const reached = reachedTypes(fleet, request)
  const { id, name, isPublic, isDisabled } = flavor
  return {
    id,
    name,
    isPublic,
    isDisabled,
    asks: requestText(flavor, request, reached, gpuAmountsIn(fleet, request)),
    types: reached.map(({ typeId, name: typeName }) => ({ typeId, name: typeName })),
    projects: whoMayUse(fleet, flavor),
    servers: serversOfFlavor(fleet, flavor)?.length ?? null,
    ...summarizeFit(fleet, flavor),
  }
}

/** Thousands of hosts times hundreds of flavors take seconds. */
function* countInSteps(fleet: Fleet, flavors: readonly Flavor[]): Generator<void, CountedFlavor[]> {
  const counted: CountedFlavor[] = []
  for (const flavor of flavors) {
    counted.push(countFlavor(fleet, flavor))
    yield
  }
  return counted
}

/** Every host may have to be explained, so only for the rows of a page, and once for a fleet. */
const nearestIn = oncePer((fleet: Fleet) => oncePer((flavor: Flavor) => nearestMiss(fleet, flavor)))

function* withNearest(
  fleet: Fleet,
  rows: readonly Omit<FlavorSummary, 'nearest'>[],
): Generator<void, FlavorSummary[]> {
  const byId = new Map(fleet.input.facts.flavors.value?.map((flavor) => [flavor.id, flavor]))
  const flavors: FlavorSummary[] = []
  for (const row of rows) {
    const flavor = row.fits > 0 ? undefined : byId.get(row.id)
    flavors.push({ ...row, nearest: flavor === undefined ? null : nearestIn(fleet)(flavor) })
    yield
  }
  return flavors
}

const nothing = (cloud: string, isRead: boolean, because: string): FlavorList => ({
  cloud,
  isRead,
  readAt: null,
  gap: null,
  flavors: null,
  because,
  counts: { all: 0, full: 0, findings: 0 },
  total: 0,
  next: null,
  withoutGpu: 0,
})

/** All flavors of a cloud that request a GPU; null: its flavors could not be read. For services that have checked the permission. */
export const countFlavors = async (
  ctx: ServiceContext,
  cloud: Cloud,
  fleet: Fleet,
): Promise<readonly CountedFlavor[] | null> => {
  const ofGpus = fleet.input.facts.flavors.value?.filter((flavor) => isGpuFlavor(fleet, flavor))
  return ofGpus === undefined
    ? null
    : keepCounted(ctx.database, cloud.id, {
        mark: fleetMark(fleet),
        signal: ctx.signal,
        work: (signal) => inSlices(countInSteps(fleet, ofGpus), signal),
      })
}

/** Why there are no flavors. */
export const unreadFlavors = ({ input }: Fleet): string =>
  `Nova's flavors could not be read: ${input.facts.flavors.error}`

/** Flavors that request a GPU, with how many servers of each fit by what was read last, page by page. */
export const listFlavors = async (ctx: ServiceContext, input: FlavorListScope): Promise<FlavorList> => {
  requirePermission(ctx, 'fleet.read')
  const { limit, cursor, q, state, sort, desc, ...scope } = parseInput(flavorListScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) return nothing(cloud.name, false, 'OpenStack has not been read yet')
  const { flavors } = fleet.input.facts
  const [counted, findings] = await Promise.all([
    countFlavors(ctx, cloud, fleet),
    loadFitFindings(ctx, cloud),
  ])
  if (counted === null || flavors.value === null) return nothing(cloud.name, true, unreadFlavors(fleet))
  const rows = counted.map((flavor) => ({ ...flavor, findings: findings.ofFlavor(flavor.id) }))
  const page = pageOf(
    arrangeFlavors(rows, {
      q: q ?? '',
      state: state ?? null,
      sort: sort ?? 'name',
      desc: desc === 'true',
    }),
    { limit, cursor, keyOf: ({ id }) => id },
  )
  return {
    cloud: cloud.name,
    isRead: true,
    readAt: flavors.at,
    gap: fitGap(fleet),
    flavors: await inSlices(withNearest(fleet, page.rows), ctx.signal),
    because: null,
    counts: {
      all: rows.length,
      full: rows.filter(isFull).length,
      findings: rows.filter((row) => row.findings.length > 0).length,
    },
    total: page.total,
    next: page.next,
    withoutGpu: flavors.value.length - rows.length,
  }
}
