import 'server-only'
import { createHash } from 'node:crypto'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { readSilence, type Silence } from '@/lib/services/fleet/read-silence'
import { fleetOfCloud, freshFleetOfCloud } from './fleet-of-cloud'
import type { Fleet } from './fleet-snapshot'

/** The fleet's numbers and the hosts that do not report, as one position that all totals refer to. */
export type FleetView = {
  fleet: Fleet
  silence: Silence
  /** Hosts that do not report, by id, with their last report or heartbeat; null: never. */
  silentHosts: ReadonlyMap<number, Date | null>
  asOf: string
}

type ViewContext = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

/** The position depends on the content alone, so that two consoles with the same content name the same one. */
const positionOf = ({ encoded }: Fleet, { silent }: Silence): string => {
  if (silent.length === 0) return encoded.version
  const names = silent.map(({ name, seenAt }) => `${name} ${seenAt?.getTime() ?? ''}`).join('\n')
  return `${encoded.version}-${createHash('sha256').update(names).digest('hex').slice(0, 12)}`
}

export const createFleetView = (fleet: Fleet, silence: Silence): FleetView => ({
  fleet,
  silence,
  silentHosts: new Map(silence.silent.map(({ id, seenAt }) => [id, seenAt])),
  asOf: positionOf(fleet, silence),
})

/** For services that have checked the caller's permission. */
export const readFleetView = async (
  ctx: ViewContext,
  cloud: { id: number; name: string },
): Promise<FleetView> => {
  const [fleet, silence] = await Promise.all([fleetOfCloud(ctx, cloud), readSilence(ctx, cloud)])
  // A silent host that was removed in between would otherwise count as one that reports.
  const isSame = fleet.hosts.length === silence.hostCount
  return createFleetView(isSame ? fleet : await freshFleetOfCloud(ctx, cloud), silence)
}
