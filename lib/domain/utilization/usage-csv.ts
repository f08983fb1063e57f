import type { IdleVgpus, Utilization } from '@/lib/schemas/api/utilization'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

const COLUMNS = [
  ['utilization', 'utilization_percent'],
  ['utilizationMin', 'utilization_min_percent'],
  ['utilizationMax', 'utilization_max_percent'],
  ['usedMib', 'framebuffer_used_mib'],
  ['usedMibMax', 'framebuffer_used_max_mib'],
  ['totalMib', 'framebuffer_mib'],
] as const

/** The series of utilization, one line for each point; empty fields: not measured. */
export const usageCsv = ({
  from,
  stepSeconds,
  series,
}: Pick<Utilization, 'from' | 'stepSeconds' | 'series'>): Encoded<'csv'> =>
  csvText([
    ['at', 'key', 'label', ...COLUMNS.map(([, name]) => name)],
    ...series.flatMap((one) =>
      one.utilization.map((_, point) => [
        new Date(Date.parse(from) + point * stepSeconds * 1000).toISOString(),
        one.key,
        one.label,
        ...COLUMNS.map(([column]) => one[column][point] ?? null),
      ]),
    ),
  ])

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

/** The idle vGPUs, one per line. */
export const idleVgpusCsv = (idle: IdleVgpus['idle']): Encoded<'csv'> =>
  csvText([
    IDLE_HEAD,
    ...idle.map((one) => [
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
    ]),
  ])
