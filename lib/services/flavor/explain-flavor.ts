import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { requestText } from '@/lib/domain/fit/request-text'
import { isCopyCurrent, serversOfFlavor } from '@/lib/domain/flavor/servers-of-flavor'
import { whoMayUse } from '@/lib/domain/flavor/who-may-use'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { type FlavorScope, flavorScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { findingRow, LISTED_COLUMNS, SEVERITY_RANK } from '@/lib/services/finding/finding-row'
import { trackFindings } from '@/lib/services/finding/track-findings'
import { notReadYet } from '@/lib/services/fit/not-read'
import { reportFit } from '@/lib/services/fit/report-fit'
import { naturalOrder } from '@/lib/util/natural-order'

/** Availability zones of nova-compute services. */
export const zonesOf = ({ input }: Fleet): string[] =>
  [
    ...new Set(
      (input.facts.services.value ?? [])
        .map(({ availabilityZone }) => availabilityZone)
        .filter((zone) => zone !== null),
    ),
  ].toSorted(naturalOrder)

/**
 * What Nova adds to the query for a zone: any of the aggregates that make it. Null for a zone without one, such as the default.
 * Source: nova/scheduler/request_filter.py map_az_to_placement_aggregate.
 */
const memberOfZone = ({ input }: Fleet, zone: string | null): string | null => {
  if (zone === null) return null
  const uuids = (input.facts.aggregates.value ?? [])
    .filter(({ availabilityZone }) => availabilityZone === zone)
    .map(({ uuid }) => uuid)
  return uuids.length === 0 ? null : `in:${uuids.join(',')}`
}

// SQL: as lists of findings.
const FINDINGS = `
SELECT ${LISTED_COLUMNS} FROM finding f
WHERE f.cloud_id = $1 AND f.closed_at IS NULL
  AND f.body->'subject'->>'kind' = 'flavor' AND f.body->'subject'->>'id' = $2
ORDER BY ${SEVERITY_RANK}, f.opened_at, f.key`

const findFlavor = (fleet: Fleet, cloud: Cloud, id: string): Flavor => {
  const { flavors } = fleet.input.facts
  if (flavors.value === null)
    throw new ServiceError(
      'unavailable',
      `Nova's flavors of cloud "${cloud.name}" could not be read: ${flavors.error}`,
    )
  const found = flavors.value.find((flavor) => flavor.id === id)
  if (found !== undefined) return found
  throw new ServiceError(
    'not_found',
    `Cloud "${cloud.name}" has no flavor with the id "${id}". Choose one from the list of flavors.`,
    { field: 'flavor' },
  )
}

const checkZone = (zones: readonly string[], zone: string | null): void => {
  if (zone === null || zones.includes(zone)) return
  const named = zones.length === 0 ? 'Nova reports none' : `Nova reports ${zones.join(', ')}`
  throw new ServiceError('validation', `There is no availability zone "${zone}". ${named}.`, {
    field: 'zone',
  })
}

const flavorDto = (flavor: Flavor): FlavorFit['flavor'] => {
  const { id, name, description, isPublic, isDisabled, vcpus, memoryMib, diskGib } = flavor
  const extraSpecs = Object.entries(flavor.extraSpecs).map(([key, value]) => ({ key, value }))
  return { id, name, description, isPublic, isDisabled, vcpus, memoryMib, diskGib, extraSpecs }
}

const serversDto = (fleet: Fleet, flavor: Flavor): FlavorFit['servers'] =>
  serversOfFlavor(fleet, flavor)
    ?.map((server) => ({
      uuid: server.uuid,
      name: server.name,
      status: server.status,
      host: server.host,
      projectName: fleet.projects.get(server.projectId)?.name ?? server.projectId,
      isCopyCurrent: isCopyCurrent(server, flavor),
    }))
    .toSorted((a, b) => naturalOrder(a.name, b.name)) ?? null

/**
 * Explains where a flavor fits, why, and how many more servers fit. Queries Placement now, with the flavor's own query.
 */
export const explainFlavor = async (ctx: ServiceContext, input: FlavorScope): Promise<FlavorFit> => {
  requirePermission(ctx, 'fleet.read')
  const { flavor: id, count, zone, q, group, limit, cursor, ...scope } = parseInput(flavorScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) throw notReadYet(cloud)
  const flavor = findFlavor(fleet, cloud, id)
  const zones = zonesOf(fleet)
  checkZone(zones, zone)
  const request = readFlavorRequest(flavor)
  const types = reachedTypes(fleet, request)
  const [rows, fit] = await Promise.all([
    ctx.database.query(FINDINGS, [cloud.id, id], findingRow),
    reportFit(ctx, {
      cloud,
      fleet,
      questions: [flavorQuestion(flavor, zone)],
      memberOf: memberOfZone(fleet, zone),
      count,
      page: { q: q ?? '', group: group ?? null, limit, cursor },
    }),
  ])
  return {
    cloud: cloud.name,
    flavor: flavorDto(flavor),
    asks: requestText(flavor, request, types, gpuAmountsIn(fleet, request)),
    types: types.map(({ typeId, name }) => ({ typeId, name })),
    projects: whoMayUse(fleet, flavor),
    servers: serversDto(fleet, flavor),
    zones,
    zone,
    findings: await trackFindings(ctx, { cloudId: cloud.id, rows }),
    fit,
  }
}
