import 'server-only'
import type { IdleVgpusScope, UtilisationScope } from '@/lib/schemas/api/utilisation-inputs'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { getUtilisation } from './get-utilisation'
import { listIdleVgpus } from './list-idle-vgpus'

type Export = { name: string; text: Encoded<'csv'> }
type Field = string | number | null

const fileOf = (
  ctx: ServiceContext,
  { cloud, what, rows }: { cloud: string; what: string; rows: readonly (readonly Field[])[] },
): Export => ({
  name: `sliceboard-${cloud.replaceAll(/[^\w.-]/g, '_')}-${what}-${ctx.now().toISOString().slice(0, 10)}.csv`,
  text: csvText(rows),
})

const COLUMNS = [
  ['utilisation', 'utilisation_percent'],
  ['utilisationMin', 'utilisation_min_percent'],
  ['utilisationMax', 'utilisation_max_percent'],
  ['usedMib', 'framebuffer_used_mib'],
  ['usedMibMax', 'framebuffer_used_max_mib'],
  ['totalMib', 'framebuffer_mib'],
] as const

/** The series of utilisation as a table, one row for each point; empty: nobody measured it. */
export const exportUtilisation = async (ctx: ServiceContext, input: UtilisationScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, by, from, stepSeconds, series } = await getUtilisation(ctx, input)
  const rows = series.flatMap((one) =>
    one.utilisation.map((_, point) => [
      new Date(Date.parse(from) + point * stepSeconds * 1000).toISOString(),
      one.key,
      one.label,
      ...COLUMNS.map(([column]) => one[column][point] ?? null),
    ]),
  )
  const head = ['at', 'key', 'label', ...COLUMNS.map(([, name]) => name)]
  return fileOf(ctx, { cloud, what: `utilisation-${by}`, rows: [head, ...rows] })
}

const IDLE_HEAD = [
  'idle_since',
  'host',
  'address',
  'vgpu',
  'type',
  'server',
  'server_uuid',
  'flavor',
  'project',
  'project_id',
  'user',
  'highest_percent',
  'framebuffer_used_mib',
  'seen_share',
  'hosts_since',
]

/** The idle vGPUs as a table. */
export const exportIdleVgpus = async (ctx: ServiceContext, input: IdleVgpusScope): Promise<Export> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, idle } = await listIdleVgpus(ctx, input)
  const rows = idle.map((one) => [
    one.since,
    one.host,
    one.address,
    one.vgpu,
    one.type,
    one.server,
    one.guest,
    one.flavor,
    one.project,
    one.projectId,
    one.user,
    one.highestPercent,
    one.usedMib,
    Math.round(one.seenShare * 1000) / 1000,
    one.hosts.join(' '),
  ])
  return fileOf(ctx, { cloud, what: 'idle-vgpus', rows: [IDLE_HEAD, ...rows] })
}
