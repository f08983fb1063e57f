import * as z from 'zod'
import { SERVICE_STATES } from '@/lib/schemas/service-states'
import { SEVERITIES } from '@/lib/schemas/severity'
import type { Query } from '@/lib/server/database/database'
import { compareTexts } from '@/lib/util/compare-texts'
import {
  CARD_WIDTH,
  type CardColumn,
  cardOffset,
  type FleetDictionaries,
  type HostBlock,
  UNKNOWN,
} from './card-table'
import { column, integers, texts } from './column-schemas'
import type { TypeCatalog } from './type-catalog'

const NUMBERS = [
  'numaNode',
  'framebufferMib',
  'capacity',
  'used',
  'spare',
  'orphan',
  'returning',
  'creatable',
  'advertised',
  'advertisedUsed',
  'stranded',
] as const satisfies readonly CardColumn[]

const severitySchema = z.enum(SEVERITIES)
const findingMarkSchema = z.object({
  code: z.string(),
  severity: severitySchema,
  pgpuAddress: z.string().nullable(),
})
const hostColumnsSchema = z.object({
  id: integers,
  name: texts,
  changedXid: texts,
  findings: z.array(z.array(findingMarkSchema)),
})
const pgpuColumnsSchema = z.object({
  hostId: integers,
  address: texts,
  model: texts,
  framework: texts,
  typeId: integers,
  typeSetId: integers,
  findingCode: texts,
  findingSeverity: texts,
  finding: texts,
  reason: texts,
  numaNode: integers,
  framebufferMib: integers,
  capacity: integers,
  used: integers,
  spare: integers,
  orphan: integers,
  returning: integers,
  creatable: integers,
  advertised: integers,
  advertisedUsed: integers,
  stranded: integers,
  strandedReason: texts,
  service: texts,
  aggregates: column(z.array(z.string()).nullable()),
})
type PgpuColumns = z.infer<typeof pgpuColumnsSchema>

const BY_SEVERITY = `ARRAY[${SEVERITIES.map((severity) => `'${severity}'`).join(', ')}]`

/*
 * SQL: one statement, so that a host's version and its pGPUs belong together. Columns as JSON texts are the quickest way out
 * of both databases (80,000 pGPUs: 0.21 s from PostgreSQL, 0.30 s from PGlite; as rows 0.43 s and 2.4 s).
 */
const LOAD_HOSTS = `
WITH chosen AS (
  SELECT id, name, changed_xid, findings FROM current_host WHERE cloud_id = $1 AND id = ANY($2::int[])
), hosts AS (
  SELECT json_build_object('id', json_agg(id), 'name', json_agg(name), 'changedXid', json_agg(changed_xid::text),
    'findings', json_agg(findings)) AS columns
  FROM chosen
), worded AS (
  SELECT p.*, c.advertised, c.advertised_used, c.stranded, c.stranded_because, c.service_state, c.aggregates,
    CASE WHEN c.finding_code IS NULL THEN false WHEN p.finding_code IS NULL THEN true
      ELSE array_position(${BY_SEVERITY}, c.finding_severity)
        < array_position(${BY_SEVERITY}, p.finding_severity) END AS is_cloud_worse,
    c.finding_code AS cloud_code, c.finding_severity AS cloud_severity, c.finding AS cloud_finding
  FROM pgpu p JOIN chosen ON chosen.id = p.host_id
    LEFT JOIN pgpu_cloud c ON c.host_id = p.host_id AND c.address = p.address
), pgpus AS (
  SELECT json_build_object(
    'hostId', json_agg(p.host_id), 'address', json_agg(p.address), 'model', json_agg(p.model),
    'framework', json_agg(p.framework), 'typeId', json_agg(p.type_id), 'typeSetId', json_agg(p.type_set_id),
    'numaNode', json_agg(p.numa_node), 'framebufferMib', json_agg(p.framebuffer_mib),
    'capacity', json_agg(p.capacity), 'used', json_agg(p.used), 'spare', json_agg(p.spare),
    'orphan', json_agg(p.orphan), 'returning', json_agg(p."returning"), 'creatable', json_agg(p.creatable),
    'findingCode', json_agg(CASE WHEN is_cloud_worse THEN cloud_code ELSE p.finding_code END),
    'findingSeverity', json_agg(CASE WHEN is_cloud_worse THEN cloud_severity ELSE p.finding_severity END),
    'finding', json_agg(CASE WHEN is_cloud_worse THEN cloud_finding ELSE p.finding END),
    'reason', json_agg(p.unknown_reason), 'advertised', json_agg(p.advertised),
    'advertisedUsed', json_agg(p.advertised_used), 'stranded', json_agg(p.stranded),
    'strandedReason', json_agg(p.stranded_because),    'service', json_agg(p.service_state), 'aggregates', json_agg(p.aggregates)
  ) AS columns
  FROM worded p
)
SELECT hosts.columns::text AS hosts, pgpus.columns::text AS pgpus FROM hosts CROSS JOIN pgpus`

const columnsRow = z.object({ hosts: z.string(), pgpus: z.string() })

/** json_agg gives null for no rows. */
const readColumns = <Columns>(text: string, schema: z.ZodType<Columns>): Columns => {
  const columns = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  return schema.parse(
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column ?? []])),
  )
}

const groupByHost = (columns: PgpuColumns): Map<number, number[]> => {
  const rowsOf = new Map<number, number[]>()
  for (const [row, hostId] of columns.hostId.entries()) {
    if (hostId === null) continue
    const rows = rowsOf.get(hostId)
    if (rows === undefined) rowsOf.set(hostId, [row])
    else rows.push(row)
  }
  return rowsOf
}

const findingOf = (columns: PgpuColumns, row: number, dictionaries: FleetDictionaries): number => {
  const code = columns.findingCode[row] ?? null
  const sentence = columns.finding[row] ?? null
  if (code === null || sentence === null) return UNKNOWN
  const severity = severitySchema.catch('warning').parse(columns.findingSeverity[row])
  return dictionaries.findings.idOf(`${severity} ${code} ${sentence}`, () => ({ code, severity, sentence }))
}

const textOf = (
  column: (string | null)[],
  row: number,
  dictionary: { idOf(key: string, make: () => string): number },
): number => {
  const text = column[row] ?? null
  return text === null ? UNKNOWN : dictionary.idOf(text, () => text)
}

const serviceSchema = z.enum(SERVICE_STATES)

const serviceOf = ({ service }: PgpuColumns, row: number, { services }: FleetDictionaries): number => {
  const state = service[row] ?? null
  return state === null ? UNKNOWN : services.idOf(state, () => serviceSchema.catch('unknown').parse(state))
}

const aggregateSetOf = (
  { aggregates }: PgpuColumns,
  row: number,
  { aggregateSets }: FleetDictionaries,
): number => {
  const names = aggregates[row] ?? null
  return names === null ? UNKNOWN : aggregateSets.idOf(JSON.stringify(names), () => names)
}

const readCards = (
  columns: PgpuColumns,
  rows: number[],
  { dictionaries, catalog }: { dictionaries: FleetDictionaries; catalog: TypeCatalog },
): Int32Array => {
  const ordered = rows.toSorted((a, b) => compareTexts(columns.address[a] ?? '', columns.address[b] ?? ''))
  const cards = new Int32Array(ordered.length * CARD_WIDTH)
  for (const [card, row] of ordered.entries()) {
    const put = (column: CardColumn, value: number): void => {
      cards[card * CARD_WIDTH + cardOffset(column)] = value
    }
    put('addressIndex', textOf(columns.address, row, dictionaries.addresses))
    put('modelIndex', textOf(columns.model, row, dictionaries.models))
    put('frameworkIndex', textOf(columns.framework, row, dictionaries.frameworks))
    const model = columns.model[row] ?? ''
    put('typeIndex', catalog.typeIndex(columns.typeId[row] ?? null, model))
    put(
      'rangeIndex',
      catalog.rangeIndex(columns.typeSetId[row] ?? null, columns.framework[row] ?? null, model),
    )
    put('findingIndex', findingOf(columns, row, dictionaries))
    put('reasonIndex', textOf(columns.reason, row, dictionaries.reasons))
    put('strandedReasonIndex', textOf(columns.strandedReason, row, dictionaries.strandedReasons))
    put('serviceIndex', serviceOf(columns, row, dictionaries))
    put('aggregateSetIndex', aggregateSetOf(columns, row, dictionaries))
    for (const name of NUMBERS) put(name, columns[name][row] ?? UNKNOWN)
  }
  return cards
}

/** Hosts of a cloud with their pGPUs: those of the given ids that still exist. */
export const loadHosts = async ({
  query,
  cloudId,
  hostIds,
  dictionaries,
  catalog,
}: {
  query: Query
  cloudId: number
  hostIds: readonly number[]
  dictionaries: FleetDictionaries
  catalog: TypeCatalog
}): Promise<HostBlock[]> => {
  const [answer] = await query(LOAD_HOSTS, [cloudId, hostIds], columnsRow)
  if (answer === undefined) return []
  const hosts = readColumns(answer.hosts, hostColumnsSchema)
  const pgpus = readColumns(answer.pgpus, pgpuColumnsSchema)
  await catalog.learn({ query, typeIds: pgpus.typeId, typeSetIds: pgpus.typeSetId })
  const rowsOf = groupByHost(pgpus)
  return hosts.id.flatMap((id, index) => {
    if (id === null) return []
    return {
      id,
      name: hosts.name[index] ?? '',
      changedXid: hosts.changedXid[index] ?? '0',
      findings: hosts.findings[index] ?? [],
      cards: readCards(pgpus, rowsOf.get(id) ?? [], { dictionaries, catalog }),
    }
  })
}
