import 'server-only'
import * as z from 'zod'
import type { HostList, HostSummary } from '@/lib/schemas/api/host'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import {
  CARD_WIDTH,
  type CardColumn,
  cardPlace,
  compareTexts,
  UNKNOWN,
} from '@/lib/services/fleet/card-table'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import { silentBefore } from '@/lib/services/freshness/silence'

const integers = z.custom<(number | null)[]>(Array.isArray)
const texts = z.custom<(string | null)[]>(Array.isArray)

const hostColumnsSchema = z.object({
  id: integers,
  name: texts,
  guestCount: integers,
  problemCount: integers,
  agentVersion: texts,
  driverVersion: texts,
  libvirtVersion: texts,
  deployment: texts,
  seenMs: integers,
})
type HostColumns = z.infer<typeof hostColumnsSchema>

/** Columns in one JSON text instead of rows: 10,000 hosts take a third of the time. */
const LIST_HOSTS = `
SELECT json_build_object('id', json_agg(id), 'name', json_agg(name), 'guestCount', json_agg(guest_count),
  'problemCount', json_agg(problem_count), 'agentVersion', json_agg(agent_version),
  'driverVersion', json_agg(driver_version), 'libvirtVersion', json_agg(libvirt_version),
  'deployment', json_agg(deployment), 'seenMs', json_agg((extract(epoch FROM seen_at) * 1000)::bigint))::text AS hosts
FROM host WHERE cloud_id = $1 HAVING count(*) > 0`

/** Sum of what is known; null when it is known of no card. */
const sumOf = (cards: Int32Array, column: CardColumn): number | null => {
  let sum: number | null = null
  for (let at = cardPlace(column); at < cards.length; at += CARD_WIDTH) {
    const value = cards[at] ?? UNKNOWN
    if (value !== UNKNOWN) sum = (sum ?? 0) + value
  }
  return sum
}

const wholeCardsOf = (cards: Int32Array, { dictionaries }: Fleet): number => {
  let count = 0
  for (let at = 0; at < cards.length; at += CARD_WIDTH) {
    const framework = dictionaries.frameworks.valueAt(cards[at + cardPlace('frameworkIndex')] ?? UNKNOWN)
    const capacity = cards[at + cardPlace('capacity')] ?? UNKNOWN
    if (framework === 'passthrough' && capacity !== UNKNOWN) count += capacity
  }
  return count
}

const modelsOf = (cards: Int32Array, { dictionaries }: Fleet): string[] => {
  const models = new Set<string>()
  for (let at = cardPlace('modelIndex'); at < cards.length; at += CARD_WIDTH) {
    models.add(dictionaries.models.valueAt(cards[at] ?? UNKNOWN))
  }
  return [...models].sort(compareTexts)
}

const summaryOf = (
  columns: HostColumns,
  {
    row,
    cards,
    fleet,
    silentBeforeMs,
  }: { row: number; cards: Int32Array; fleet: Fleet; silentBeforeMs: number },
): HostSummary => {
  const seenMs = columns.seenMs[row] ?? null
  return {
    name: columns.name[row] ?? '',
    gpuCount: cards.length / CARD_WIDTH,
    models: modelsOf(cards, fleet),
    capacity: sumOf(cards, 'capacity'),
    used: sumOf(cards, 'used'),
    wholeCards: wholeCardsOf(cards, fleet),
    guestCount: columns.guestCount[row] ?? null,
    problemCount: columns.problemCount[row] ?? 0,
    agentVersion: columns.agentVersion[row] ?? null,
    driverVersion: columns.driverVersion[row] ?? null,
    libvirtVersion: columns.libvirtVersion[row] ?? null,
    deployment: columns.deployment[row] ?? null,
    seenAt: seenMs === null ? null : new Date(seenMs).toISOString(),
    isSilent: seenMs === null || seenMs < silentBeforeMs,
  }
}

const NO_CARDS = new Int32Array(0)

/** All hosts of a cloud, by name. */
export const listHosts = async (ctx: ServiceContext, input: CloudScope): Promise<HostList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const fleet = await fleetOfCloud(ctx, cloud)
  const [answer] = await ctx.database.query<{ hosts: string }>(LIST_HOSTS, [cloud.id])
  if (answer === undefined) return { cloud: cloud.name, hosts: [] }
  const columns = hostColumnsSchema.parse(JSON.parse(answer.hosts))
  const cardsOf = new Map(fleet.hosts.map((block) => [block.id, block.cards]))
  const silentBeforeMs = silentBefore(ctx).getTime()
  const hosts = columns.id.map((id, row) =>
    summaryOf(columns, { row, cards: cardsOf.get(id ?? 0) ?? NO_CARDS, fleet, silentBeforeMs }),
  )
  return { cloud: cloud.name, hosts: hosts.sort((a, b) => compareTexts(a.name, b.name)) }
}
