import 'server-only'
import * as z from 'zod'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { createFleetGroups } from '@/lib/domain/history/groups'
import { HOUR_MS } from '@/lib/domain/history/series'
import type { Period } from '@/lib/domain/review/period'
import { projectGrowth } from '@/lib/domain/review/project-growth'
import { type RefusedType, refusedTypes } from '@/lib/domain/review/refused-types'
import {
  type ReviewCard,
  reviewCards,
  strandedByReason,
  sumReviewCards,
} from '@/lib/domain/review/review-cards'
import { silentIntervals } from '@/lib/domain/review/silent-intervals'
import { type RefusedGroup, whatHelps } from '@/lib/domain/review/what-helps'
import type { ReviewContent, ReviewContentV4 } from '@/lib/schemas/api/review-content'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { getForecastAsOf } from '@/lib/services/forecast/get-forecast-as-of'
import { loadStateBefore, loadWatches } from '@/lib/services/history/load-history'
import { loadFindings, loadFinishedChanges, loadRefused, loadRemovedOrphans, type Span } from './load-events'
import { loadProjectUses, loadReviewSeries, projectNameAt } from './load-series'
import { countMeasured, loadIdle, loadUtilization } from './load-usage'
import { typeRows } from './type-rows'

/** Also before the period: a vGPU that was used throughout the period has no event in it. */
const LOOK_BACK_MS = 92 * 86_400_000

// SQL: distinct values of arrays, over tables that Prisma's client would read whole.
const FLAVOR_TYPES = `
SELECT DISTINCT o.flavor_name AS flavor, t.type_id AS "typeId" FROM guest_change c
JOIN host h ON h.id = c.host_id JOIN guest_owner o ON o.id = c.owner_id JOIN held_vgpus v ON v.id = c.held_id
CROSS JOIN unnest(v.type_ids) AS t (type_id)
WHERE h.cloud_id = $1 AND c.at >= $2::timestamptz AND c.at < $3::timestamptz AND o.flavor_name = ANY($4::text[])
  AND t.type_id <> '' ORDER BY 1, 2`
const flavorTypeRow = z.object({ flavor: z.string(), typeId: z.string() })

type Terms = {
  refused: readonly RefusedGroup[]
  /** The types that existed in the period, by name. */
  cards: readonly ReviewCard[]
  max: number
}

/** Refused servers by the vGPU type that servers of their flavor held, in the period and the three months before. */
const loadRefusedTypes = async (
  query: Query,
  { cloudId, from, until }: Span,
  { refused, cards, max }: Terms,
): Promise<{ rows: RefusedType[]; others: number }> => {
  const flavors = [...new Set(refused.flatMap(({ flavor }) => flavor ?? []))]
  const since = new Date(from - LOOK_BACK_MS)
  const params = [cloudId, since, new Date(until), pgArray(flavors)]
  const rows = await query(FLAVOR_TYPES, params, flavorTypeRow)
  const names = new Map(cards.map(({ point }) => [point.typeId, point.typeName]))
  const nameOf = (typeId: string): string => names.get(typeId) ?? typeId
  const typesOf = new Map(
    [...groupBy(rows, ({ flavor }) => flavor)].map(([flavor, own]) => [
      flavor,
      own.map(({ typeId }) => nameOf(typeId)),
    ]),
  )
  return refusedTypes(refused, { typesOf, max })
}

/** The pGPUs of the hosts as their histories left them at a moment (ms), and who was watched then. */
const loadCurrentState = async (
  query: Query,
  { hostIds, at }: { hostIds: readonly number[]; at: number },
): Promise<ReviewCard[]> => {
  const events = await loadStateBefore(query, { hostIds, subjects: 'pgpus', at: new Date(at) })
  const watches = await loadWatches(query, { hostIds, from: new Date(at - 1), until: new Date(at) })
  return reviewCards(events, new Set(watches.map(({ hostId }) => hostId)))
}

/** Maximum rows of each table on a page. */
const MAX_ROWS = {
  refused: 5,
  refusedTypes: 4,
  changes: 4,
  silent: 2,
  projects: 6,
  idle: 4,
  longestIdle: 3,
  findings: 4,
  types: 6,
  stranded: 4,
  help: 4,
} as const

export type ReviewFilter = { by: ReviewContent['filter']['by']; key: string }

export type ReviewTerms = {
  cloud: Pick<Cloud, 'id' | 'name'>
  period: Period
  filter: ReviewFilter
  /** ms: the period's end, or in a preview how far the roll-ups are. */
  knownUntil: number
}

// SQL: in an order that does not depend on the database's collation, with the caller's query.
const HOSTS =
  'SELECT id, name, removed_at AS "removedAt" FROM host WHERE cloud_id = $1 ORDER BY name COLLATE "C"'

const hostRow = z.object({ id: z.int(), name: z.string(), removedAt: z.date().nullable() })
type ReviewedHost = z.infer<typeof hostRow>

const isoOf = (at: number): string => new Date(at).toISOString()

/** The pGPUs of a group, and what people read for it. */
const pickGroup = (
  cards: readonly ReviewCard[],
  { by, key }: ReviewFilter,
): { cards: ReviewCard[]; label: string | null } => {
  if (by === 'all') return { cards: [...cards], label: '' }
  const groupsOf = createFleetGroups()
  let label: string | null = null
  const picked = cards.filter(({ point, word }) => {
    const group = groupsOf(point, word).find(({ dimension, key: own }) => dimension === by && own === key)
    label ??= group?.label ?? null
    return group !== undefined
  })
  return { cards: picked, label }
}

const silentHosts = async (
  query: Query,
  {
    hosts,
    nameOf,
    from,
    until,
    before,
  }: {
    hosts: readonly ReviewedHost[]
    nameOf: (hostId: number) => string
    from: number
    until: number
    before: readonly ReviewCard[]
  },
): Promise<Pick<ReviewContent['done'], 'silent' | 'otherSilent'>> => {
  const hostIds = hosts.map(({ id }) => id)
  const watches = await loadWatches(query, { hostIds, from: new Date(from), until: new Date(until) })
  // From its removal on a host is not silent, but gone.
  const removed = hosts.flatMap(({ id, removedAt }) =>
    removedAt === null ? [] : { hostId: id, since: removedAt.getTime(), until: Number.POSITIVE_INFINITY },
  )
  const knownBefore = new Set(before.map(({ hostId }) => hostId))
  const all = silentIntervals([...watches, ...removed], { from, until, knownBefore, minMs: HOUR_MS })
  const silent = all.slice(0, MAX_ROWS.silent).map((interval) => ({
    host: nameOf(interval.hostId),
    from: isoOf(interval.from),
    until: interval.until === null ? null : isoOf(interval.until),
  }))
  return { silent, otherSilent: all.length - silent.length }
}

const grownProjects = async (query: Query, span: Span): Promise<ReviewContent['projects']> => {
  const uses = await loadProjectUses(query, span)
  if (uses === null) return { rows: null, others: 0 }
  const { rows, others } = projectGrowth(uses, MAX_ROWS.projects)
  const named: { label: string; before: number; after: number }[] = []
  for (const { key, before, after } of rows) {
    const label = await projectNameAt(query, { cloudId: span.cloudId, key, at: span.until })
    named.push({ label, before, after })
  }
  return { rows: named, others }
}

const orphansOf = (cards: readonly ReviewCard[]): { mdevs: number; hosts: number } => {
  const having = cards.filter(({ isWatched, point }) => isWatched && (point.orphan ?? 0) > 0)
  return {
    mdevs: having.reduce((sum, { point }) => sum + (point.orphan ?? 0), 0),
    hosts: new Set(having.map(({ hostId }) => hostId)).size,
  }
}

/** The events in chronological order; the part before the colon is the label in the chart. */
const marksOf = (
  changes: ReviewContent['done']['changes'],
  { silent }: Pick<ReviewContent['done'], 'silent'>,
): ReviewContent['chart']['marks'] =>
  [
    ...changes.map(({ id, at, title }) => ({ at, label: `change ${id}: ${title}` })),
    ...silent.map(({ host, from }) => ({ at: from, label: `${host} silent: no data` })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))

/**
 * The content of a period's review. It is computed only from rows of the time before its end, in an explicit order: not
 * from the clock, the current state, or later events. So the same rows always give the same review.
 */
export const computeReview = async (query: Query, terms: ReviewTerms): Promise<ReviewContentV4> => {
  const { cloud, period, filter, knownUntil } = terms
  const { from } = period
  const span = { cloudId: cloud.id, cloud: cloud.name, from, until: knownUntil }
  const hosts = await query(HOSTS, [cloud.id], hostRow)
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  const nameOf = (hostId: number): string => names.get(hostId) ?? ''
  const hostIds = hosts.map(({ id }) => id)
  const fleetBefore = await loadCurrentState(query, { hostIds, at: from })
  const before = pickGroup(fleetBefore, filter)
  const fleetEnd = await loadCurrentState(query, { hostIds, at: knownUntil })
  const end = pickGroup(fleetEnd, filter)
  const label = end.label ?? before.label ?? filter.key
  const series = await loadReviewSeries(query, {
    ...span,
    kind: period.kind,
    filter: { ...filter, label },
  })
  const refused = await loadRefused(query, span)
  const changes = await loadFinishedChanges(query, span)
  const stranded = strandedByReason(end.cards)
  const silent = await silentHosts(query, { hosts, nameOf, from, until: knownUntil, before: fleetBefore })
  const forecasts = await getForecastAsOf(query, { cloudId: cloud.id, by: 'type', asOf: knownUntil })
  const pgpus = await countMeasured(query, { hostIds, cards: fleetEnd, from, until: knownUntil })
  const listed = refused.slice(0, MAX_ROWS.refused)
  const sumOf = (groups: readonly { servers: number }[]): number =>
    groups.reduce((sum, { servers }) => sum + servers, 0)
  return {
    version: 4,
    cloud: cloud.name,
    period: {
      kind: period.kind,
      name: period.name,
      timeZone: period.timeZone,
      from: isoOf(from),
      until: isoOf(period.until),
      knownUntil: isoOf(knownUntil),
    },
    filter: { ...filter, label },
    hours: series.hours,
    before: sumReviewCards(before.cards),
    end: sumReviewCards(end.cards),
    peak: series.peak,
    average: series.average,
    refused: {
      servers: sumOf(refused),
      groups: listed,
      others: sumOf(refused) - sumOf(listed),
      types: await loadRefusedTypes(query, span, {
        refused,
        cards: [...fleetBefore, ...fleetEnd],
        max: MAX_ROWS.refusedTypes,
      }),
    },
    utilisation: await loadUtilization(query, span, pgpus),
    idle: await loadIdle(query, span, {
      max: { projects: MAX_ROWS.idle, longest: MAX_ROWS.longestIdle },
      pgpus,
    }),
    stranded: stranded
      .slice(0, MAX_ROWS.stranded)
      .map(({ because, vgpus, hostIds: on }) => ({ because, vgpus, hosts: on.length })),
    chart: {
      ...series.chart,
      marks: marksOf(changes, silent),
    },
    types: typeRows(end.cards, { forecasts, max: MAX_ROWS.types, isPart: filter.by === 'aggregate' }),
    projects: await grownProjects(query, span),
    done: {
      // Those that changed the most capacity first.
      changes: changes
        .toSorted((a, b) => Math.abs(b.effect ?? 0) - Math.abs(a.effect ?? 0))
        .slice(0, MAX_ROWS.changes),
      others: Math.max(0, changes.length - MAX_ROWS.changes),
      orphans: await loadRemovedOrphans(query, span),
      ...silent,
    },
    findings: await loadFindings(query, span, MAX_ROWS.findings),
    help: whatHelps(
      { cards: end.cards, stranded, refused, orphans: orphansOf(end.cards), nameOf },
      MAX_ROWS.help,
    ),
  }
}
