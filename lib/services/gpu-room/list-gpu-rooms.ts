import 'server-only'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { gpuFlavorsOf } from '@/lib/domain/fence/gpu-flavors'
import { type GpuRoom, gpuRoom, type RoomState } from '@/lib/domain/fence/gpu-room'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { VGPUS_LOST_CODES } from '@/lib/domain/findings/cloud/codes'
import { nodeGap, nodeRooms } from '@/lib/domain/fit/node-rooms'
import { readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import type { GpuRoomDto, GpuRooms } from '@/lib/schemas/api/gpu-room'
import { type GpuRoomScope, gpuRoomScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { Finding } from '@/lib/server/prisma-client/client'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud, unheardFacts } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'
import { findHost } from '@/lib/services/stored-host/find-host'

type Since = Pick<Finding, 'host' | 'code' | 'openedAt'>

/** The finding that says the same, since when it is open. */
const CODES_OF: Partial<Record<RoomState, readonly string[]>> = {
  tight: ['last-gpu-tight'],
  partly: VGPUS_LOST_CODES,
  starved: ['vgpus-stranded'],
}

/** The whole cloud for one host too: what an alias of a flavor stands for is in the nova.conf of others. */
const fleetOf = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
  const facts = (await factsOfCloud(ctx, cloud))?.facts ?? unheardFacts(ctx, cloud)
  return joinCloud(ctx, { cloud, facts })
}

const ordinaryDto = ({ ordinary }: GpuRoom): GpuRoomDto['ordinary'] =>
  ordinary === null ? null : { name: ordinary.name, needs: { ...ordinary.needs }, count: ordinary.count }

const roomDto = (fleet: Fleet, joined: JoinedHost, since: readonly Since[]): GpuRoomDto => {
  const room = gpuRoom(fleet, joined)
  const host = joined.host.name
  const config = joined.host.inventory.novaConfig
  const open = (CODES_OF[room.state] ?? [])
    .flatMap((code) => since.filter((row) => row.host === host && row.code === code))
    .toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime())[0]
  return {
    host,
    state: room.state,
    because: room.because,
    since: open?.openedAt.toISOString() ?? null,
    freeVgpus: room.freeVgpus.value,
    freeCards: room.freeCards.value,
    lines: [...room.lines],
    flavors: room.flavors.map(({ needs, short, ...flavor }) => ({
      ...flavor,
      needs: { ...needs },
      short: [...short],
    })),
    ordinary: ordinaryDto(room),
    nodes: nodeRooms(joined)?.slice() ?? null,
    nodeGap: nodeGap(joined),
    options: config === null ? null : readCpuOptions(config),
    aggregates: (hostAggregates(fleet, joined) ?? []).map(({ name }) => name),
  }
}

/** Free GPUs of every host against the CPU, memory and disk left beside them; or of one host. */
export const listGpuRooms = async (ctx: ServiceContext, input: GpuRoomScope): Promise<GpuRooms> => {
  requirePermission(ctx, 'fleet.read')
  const { host, ...scope } = parseInput(gpuRoomScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const row = host == null ? null : await findHost(ctx, { cloud, host })
  const fleet = await fleetOf(ctx, cloud)
  const since = await ctx.database.prisma.finding.findMany({
    where: {
      cloudId: cloud.id,
      closedAt: null,
      code: { in: Object.values(CODES_OF).flat() },
      ...(row === null ? {} : { host: row.name }),
    },
    select: { host: true, code: true, openedAt: true },
  })
  const rooms = fleet.hosts
    .filter(({ host: { name } }) => row === null || name === row.name)
    .filter(({ pgpus }) => pgpus.some(({ pgpu }) => pgpu.framework !== 'none'))
    .map((joined) => roomDto(fleet, joined, since))
  return {
    cloud: cloud.name,
    readAt: fleet.input.facts.providers.at,
    rooms,
    flavors: gpuFlavorsOf(fleet).map((flavor) => ({
      id: flavor.id,
      name: flavor.name,
      needs: { ...plainNeeds(flavor) },
    })),
  }
}
