import type { ProjectLimit } from '@/lib/domain/cloud/types'
import type { LimitScope, OwnLimitChange } from '@/lib/domain/plans/limits/tasks'
import { isOpenStackError, OpenStackError } from '@/lib/openstack/openstack-error'
import type { StepTools } from './step-work'

type Placed = { serviceId: string; regionId: string | null }

/** Rows of one service and region exactly: a row without a region is another one. */
export const isAt =
  ({ serviceId, regionId }: LimitScope) =>
  (row: Placed): boolean =>
    row.serviceId === serviceId && row.regionId === regionId

export const formatLimit = (value: number | null): string => (value === null ? 'none' : String(value))

export const ownName = ({ resourceName, projectName }: OwnLimitChange): string =>
  `${resourceName} of ${projectName}`

/** A limit of a project as it is now; `now` null: it has none. */
export type LimitState = { change: OwnLimitChange; row: ProjectLimit | undefined; now: number | null }

type Named = { projectId: string | null; resourceName: string }

const keyOf = ({ projectId, resourceName }: Named): string => `${projectId} ${resourceName}`

export const readOwn = (rows: readonly ProjectLimit[], changes: readonly OwnLimitChange[]): LimitState[] => {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return changes.map((change) => {
    const row = byKey.get(keyOf(change))
    return { change, row, now: row?.resourceLimit ?? null }
  })
}

/** Another client has deleted it; the next check shows the current limits. */
export const unlessGone = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    if (!(isOpenStackError(error) && error.status === 404)) throw error
  }
}

/** A conflict: the step is tried again, and looks before. */
export const overtaken = ({ message, service, cloud }: OpenStackError): OpenStackError =>
  new OpenStackError(message, { kind: 'http', service, cloud, status: 409 })

/** Another console recreated the missing row under another id. */
const updateRow = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work
  } catch (error) {
    throw isOpenStackError(error) && error.status === 404 ? overtaken(error) : error
  }
}

/**
 * Brings limits of projects to one side of their changes. It deletes first, then updates in place, and creates last
 * in one call, which creates all or none. A PATCH to 0 answers 200 and changes nothing
 * (keystone/limit/backends/sql.py), so a limit of 0 is recreated.
 */
export const writeOwn = async (
  { limits }: StepTools,
  { scope, states, side }: { scope: LimitScope; states: readonly LimitState[]; side: 'seen' | 'wanted' },
): Promise<void> => {
  const open = states.filter(({ change, now }) => now !== change[side])
  for (const { change, row } of open)
    if (row !== undefined && (change[side] === null || change[side] === 0))
      await unlessGone(limits.remove(row.id))
  for (const { change, row } of open) {
    const value = change[side]
    if (row !== undefined && value !== null && value !== 0) await updateRow(limits.update(row.id, value))
  }
  const made = open.flatMap(({ change: { projectId, resourceName, [side]: value }, row }) =>
    value !== null && (row === undefined || value === 0)
      ? [{ ...scope, projectId, resourceName, resourceLimit: value }]
      : [],
  )
  if (made.length > 0) await limits.create(made)
}
