import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { listText } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type Malformed, malformed, malformedReason } from '../malformed/malformed'
import type { LimitChangePreview } from './preview'
import type { LimitStep, NewDefault, StrayLimit } from './tasks'

/** Rows of Nova's service without a region, and why some stay. */
export type StrayLimits = {
  registered: readonly NewDefault[]
  limits: readonly StrayLimit[]
  refusals: LimitChangePreview['refusals']
}

export const NO_STRAYS: StrayLimits = { registered: [], limits: [], refusals: [] }

/** Rows are removed together, so one that is malformed keeps all of them. */
const malformedRow = (
  rows: readonly { resourceName: string; projectId?: string | null }[],
): { resourceName: string; found: Malformed } | null => {
  const of = (what: string) => ({ origin: `The ${what} of a limit in Keystone`, remedy: 'delete that limit' })
  for (const { resourceName, projectId = null } of rows) {
    const found =
      malformed('limitName', resourceName, of('resource name')) ??
      malformed('plainId', projectId, of('project'))
    if (found !== null) return { resourceName, found }
  }
  return null
}

/**
 * What `nova-manage limits migrate_to_unified_limits` leaves without --region-id: Nova looks in the region of its endpoint
 * exactly (oslo_limit/limit.py). Where the endpoint has no region, these are the right rows.
 */
export const strayLimits = (fleet: Fleet, { limits, registered }: LimitView): StrayLimits => {
  const { novaServiceId, novaRegionId, project } = limits
  if (novaServiceId === null || novaRegionId === null) return NO_STRAYS
  const defaults = registered.filter(({ regionId }) => regionId === null)
  const refused = (reason: string, names: ReadonlySet<string>) =>
    [...names].map((resourceName) => ({ resourceName, projectName: null, reason }))
  if (project === null) {
    const names = new Set(defaults.map(({ resourceName }) => resourceName))
    return {
      ...NO_STRAYS,
      refusals: refused('the console cannot read which project limits refer to it', names),
    }
  }
  const rows = project.filter(({ serviceId, regionId }) => serviceId === novaServiceId && regionId === null)
  const odd = malformedRow([...defaults, ...rows])
  if (odd !== null)
    return { ...NO_STRAYS, refusals: refused(malformedReason(odd.found), new Set([odd.resourceName])) }
  const ofDomains = new Set(rows.filter(({ projectId }) => projectId === null).map((row) => row.resourceName))
  return {
    registered: defaults
      .filter(({ resourceName }) => !ofDomains.has(resourceName))
      .map(({ resourceName, defaultLimit }) => ({ resourceName, defaultLimit })),
    limits: rows.flatMap(({ projectId, resourceName, resourceLimit }) =>
      projectId === null || ofDomains.has(resourceName)
        ? []
        : [
            {
              resourceName,
              projectId,
              projectName: fleet.projects.get(projectId)?.name ?? projectId,
              resourceLimit,
            },
          ],
    ),
    refusals: refused(
      'its row without a region has a domain limit, which the console does not change',
      ofDomains,
    ),
  }
}

const NO_REGION = sh`--long -f json | jq -r '.[] | select(."Region ID" == null) | .ID'`

const removeCommand = (serviceId: string, { registered, limits }: StrayLimits): Encoded<'shell'> =>
  joinEncoded(
    [
      ...limits.map(
        ({ projectId, resourceName }) =>
          sh`openstack limit delete $(openstack limit list ${shellOption(sh`--service`, serviceId)} ${shellOption(sh`--project`, projectId)} ${shellOption(sh`--resource-name`, resourceName)} ${NO_REGION})`,
      ),
      ...registered.map(
        ({ resourceName }) =>
          sh`openstack registered limit delete $(openstack registered limit list ${shellOption(sh`--service`, serviceId)} ${shellOption(sh`--resource-name`, resourceName)} ${NO_REGION})`,
      ),
    ],
    '\n',
  )

const createCommand = (serviceId: string, { registered, limits }: StrayLimits): Encoded<'shell'> =>
  joinEncoded(
    [
      ...registered.map(
        ({ resourceName, defaultLimit }) =>
          sh`openstack registered limit create ${shellOption(sh`--service`, serviceId)} --default-limit ${defaultLimit} ${shellOperands([resourceName])}`,
      ),
      ...limits.map(
        ({ projectId, resourceName, resourceLimit }) =>
          sh`openstack limit create ${shellOption(sh`--service`, serviceId)} ${shellOption(sh`--project`, projectId)} --resource-limit ${resourceLimit} ${shellOperands([resourceName])}`,
      ),
    ],
    '\n',
  )

/** Deletes them, the limits of projects first, since Keystone keeps a default that one refers to. */
export const removeStraysStep = (serviceId: string, strays: StrayLimits): LimitStep => {
  const { registered, limits } = strays
  const names = [...new Set([...registered, ...limits].map(({ resourceName }) => resourceName))]
  return {
    id: 'remove-stray-limits',
    title: `Delete ${formatNoun(registered.length + limits.length, 'limit')} without a region`,
    doer: 'console',
    calls: [
      http`GET /v3/limits?service_id=${httpPart(serviceId)}`,
      ...limits.map(
        ({ resourceName, projectName }) =>
          http`DELETE /v3/limits/{${httpPart(resourceName)} of ${httpPart(projectName)}, no region}`,
      ),
      ...registered.map(
        ({ resourceName }) => http`DELETE /v3/registered_limits/{${httpPart(resourceName)}, no region}`,
      ),
    ],
    command: removeCommand(serviceId, strays),
    undoCommand: createCommand(serviceId, strays),
    sees: `Keystone has rows without a region for ${listText(names, 6)}, which Nova does not read.`,
    precondition: 'Each of them is unchanged since planning.',
    check: `GET /v3/registered_limits and /v3/limits no longer have them.`,
    undo: 'Recreates them with the same values and new ids.',
    task: { kind: 'remove-stray-limits', serviceId, registered, limits },
  }
}
