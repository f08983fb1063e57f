import 'server-only'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { VGPUS_LOST_CODES } from '@/lib/domain/findings/cloud/codes'
import { nodeGap, nodeHeadroom } from '@/lib/domain/fit/node-headroom'
import { gpuFlavorsOf } from '@/lib/domain/headroom/gpu-flavors'
import { type GpuHeadroom, gpuHeadroom, type HeadroomState } from '@/lib/domain/headroom/gpu-headroom'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import type { GpuHeadroomDto, GpuHeadroomList } from '@/lib/schemas/api/gpu-headroom'
import { type GpuHeadroomScope, gpuHeadroomScopeSchema } from '@/lib/schemas/api/scope'
import { HEADROOM_STATES } from '@/lib/schemas/choices'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { Finding } from '@/lib/server/prisma-client/client'
import { keepByMark } from '@/lib/server/sharing/keep-by-mark'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, neverReadFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { shareFleet } from '@/lib/services/cloud-reading/load-fleet'
import { fleetMark } from '@/lib/services/fit/fleet-mark'
import { findHost } from '@/lib/services/stored-host/find-host'
import { allSteps } from '@/lib/util/all-steps'
import { inSlices } from '@/lib/util/in-slices'
import { naturalOrder } from '@/lib/util/natural-order'
import { pageOf } from '@/lib/util/page-of'

type Since = Pick<Finding, 'host' | 'code' | 'openedAt'>

/** The matching finding, for the time since it is open. */
const CODES_OF: Partial<Record<HeadroomState, readonly string[]>> = {
  tight: ['last-gpu-tight'],
  partly: VGPUS_LOST_CODES,
  starved: ['vgpus-stranded'],
}

/** Of a list's host: the others of its flavors are in the answer about that host alone. */
const MAX_LISTED_FLAVORS = 3

/** The whole cloud even for one host, because aliases of a flavor are defined in the nova.conf of other hosts. */
const loadHosts = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
  const stored = await factsOfCloud(ctx, cloud)
  return shareFleet(ctx, cloud, stored?.facts ?? neverReadFacts(ctx, cloud))
}

const ordinaryDto = ({ ordinary }: GpuHeadroom): GpuHeadroomDto['ordinary'] =>
  ordinary === null ? null : { name: ordinary.name, needs: { ...ordinary.needs }, count: ordinary.count }

type ListedHost = Omit<GpuHeadroomDto, 'since'>

const headroomDto = (fleet: Fleet, joined: JoinedHost, maxFlavors: number): ListedHost => {
  const host = gpuHeadroom(fleet, joined)
  const config = joined.host.inventory.novaConfig
  return {
    host: joined.host.name,
    state: host.state,
    because: host.because,
    freeVgpus: host.freeVgpus.value,
    freeCards: host.freeCards.value,
    lines: [...host.lines],
    flavors: host.flavors.slice(0, maxFlavors).map(({ needs, short, ...flavor }) => ({
      ...flavor,
      needs: { ...needs },
      short: [...short],
    })),
    ordinary: ordinaryDto(host),
    nodes: nodeHeadroom(joined)?.slice() ?? null,
    nodeGap: nodeGap(joined),
    options: config === null ? null : readCpuOptions(config),
    aggregates: (hostAggregates(fleet, joined) ?? []).map(({ name }) => name),
  }
}

const hasGpu = ({ pgpus }: JoinedHost): boolean => pgpus.some(({ pgpu }) => pgpu.framework !== 'none')

const byUrgency = (a: ListedHost, b: ListedHost): number =>
  HEADROOM_STATES.indexOf(a.state) - HEADROOM_STATES.indexOf(b.state) || naturalOrder(a.host, b.host)

type Counted = Pick<GpuHeadroomList, 'flavors' | 'states' | 'aggregates'> & { hosts: readonly ListedHost[] }

/** A thousand hosts times hundreds of flavors take a while. */
function* countInSteps(
  fleet: Fleet,
  { hosts, maxFlavors }: { hosts: readonly JoinedHost[]; maxFlavors: number },
): Generator<void, Counted> {
  const listed: ListedHost[] = []
  for (const joined of hosts) {
    listed.push(headroomDto(fleet, joined, maxFlavors))
    yield
  }
  return {
    hosts: listed.toSorted(byUrgency),
    states: HEADROOM_STATES.map((state) => ({
      state,
      count: listed.filter((host) => host.state === state).length,
    })),
    aggregates: [...new Set(listed.flatMap(({ aggregates }) => aggregates))].toSorted(naturalOrder),
    flavors: gpuFlavorsOf(fleet).map((flavor) => ({
      id: flavor.id,
      name: flavor.name,
      needs: { ...plainNeeds(flavor) },
    })),
  }
}

const keepCounted = keepByMark<Counted>('gpu-headroom')

const selectionOf = (hosts: readonly ListedHost[], on: string): GpuHeadroomList['selection'] => {
  const [, kind, name] = /^(host|aggregate):(.*)$/s.exec(on) ?? []
  const selected = hosts.filter(({ host, aggregates }) =>
    kind === 'host' ? host === name : kind === undefined || aggregates.includes(name ?? ''),
  )
  const free = { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0 }
  for (const { lines } of selected) for (const line of lines) free[line.name] += line.free
  const [first, second] = selected
  return { hosts: selected.length, host: second === undefined ? (first?.host ?? null) : null, free }
}

const openSince = async (ctx: ServiceContext, cloud: Cloud, hosts: readonly ListedHost[]): Promise<Since[]> =>
  ctx.database.prisma.finding.findMany({
    where: {
      cloudId: cloud.id,
      closedAt: null,
      code: { in: Object.values(CODES_OF).flat() },
      host: { in: hosts.map(({ host }) => host) },
    },
    select: { host: true, code: true, openedAt: true },
  })

const withSince = (host: ListedHost, since: readonly Since[]): GpuHeadroomDto => {
  const [first] = (CODES_OF[host.state] ?? [])
    .flatMap((code) => since.filter((row) => row.host === host.host && row.code === code))
    .toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime())
  return { ...host, since: first?.openedAt.toISOString() ?? null }
}

/** Free GPUs of hosts, and the CPU, memory and disk that remain for them, page by page; or of one host. */
export const listGpuHeadroom = async (
  ctx: ServiceContext,
  input: GpuHeadroomScope,
): Promise<GpuHeadroomList> => {
  requirePermission(ctx, 'fleet.read')
  const { host, q, state, on, limit, cursor, ...scope } = parseInput(gpuHeadroomScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const row = host == null ? null : await findHost(ctx, { cloud, host })
  const fleet = await loadHosts(ctx, cloud)
  const hosts = fleet.hosts.filter(hasGpu)
  const counted =
    row === null
      ? await keepCounted(ctx.database, cloud.id, {
          mark: fleetMark(fleet),
          signal: ctx.signal,
          work: (signal) => inSlices(countInSteps(fleet, { hosts, maxFlavors: MAX_LISTED_FLAVORS }), signal),
        })
      : allSteps(
          countInSteps(fleet, {
            hosts: hosts.filter((joined) => joined.host.name === row.name),
            maxFlavors: Number.POSITIVE_INFINITY,
          }),
        )
  const text = q?.trim().toLowerCase() ?? ''
  const found = counted.hosts.filter(
    (host) => host.host.includes(text) && (state == null || host.state === state),
  )
  const page = pageOf(found, { limit, cursor, keyOf: (host) => host.host })
  const since = await openSince(ctx, cloud, page.rows)
  return {
    cloud: cloud.name,
    readAt: fleet.input.facts.providers.at,
    hosts: page.rows.map((host) => withSince(host, since)),
    total: page.total,
    next: page.next,
    states: counted.states,
    aggregates: counted.aggregates,
    selection: selectionOf(counted.hosts, on ?? ''),
    flavors: counted.flavors,
  }
}
