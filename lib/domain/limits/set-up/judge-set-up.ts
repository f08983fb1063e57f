import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import type { QuotaDriver } from '@/lib/schemas/states'
import { isIncomplete } from '@/lib/util/is-incomplete'
import type { LimitView } from '../limit-view'
import { type DriverVerdict, judgeDriver, type LegacyQuotas, type ProjectAnswer } from './judge-driver'
import { type NeededLimit, neededLimits } from './needed-limits'

type Answers = {
  projectIds: readonly string[]
  /** Nova's quotas by project, with Keystone's limits when they were read. */
  quotas: ReadonlyMap<string, Omit<ProjectAnswer, 'projectName'>>
  /** Why reading the quotas failed; null: it did not. */
  error: string | null
  /** Quotas of some projects are still being read. */
  isReading: boolean
  /** The cloud's default quotas, by the names of limits. */
  defaults: ReadonlyMap<string, number>
}

export type JudgedSetUp = {
  driver: DriverVerdict
  /** The driver that Nova uses now; null: unknown. */
  used: QuotaDriver | null
  needed: NeededLimit[]
  /** Quotas that project limits can take over. */
  legacy: { projectId: string; quotas: LegacyQuotas | null }[]
}

const driverOf = (fleet: Fleet, { quotas, error, isReading }: Answers): DriverVerdict => {
  const { limits } = fleet.input.facts
  if (error !== null) return { driver: null, reported: `Nova’s quotas could not be read: ${error}` }
  if (limits.error !== null)
    return {
      driver: null,
      reported: isIncomplete(limits) ? limits.error : `Keystone’s limits could not be read: ${limits.error}`,
    }
  if (quotas.size === 0 && isReading) return { driver: null, reported: 'Nova’s quotas are still being read' }
  return judgeDriver(
    [...quotas].map(([id, read]) => ({ ...read, projectName: fleet.projects.get(id)?.name ?? id })),
  )
}

/** Which quota driver Nova uses, which limits it needs, and which quotas become limits of projects. */
export const judgeSetUp = (fleet: Fleet, view: LimitView, answers: Answers): JudgedSetUp => {
  const driver = driverOf(fleet, answers)
  // Nova's own answers prove more than a file that it may not have read yet, or a person.
  const used = driver.driver ?? knownDriver(fleet).driver
  return {
    driver,
    used,
    // With unified limits they are Keystone's, and 0 for a name that is to be registered.
    needed: neededLimits(fleet, view, used === 'legacy' ? answers.defaults : undefined),
    // Nova with unified limits answers Keystone's own values: there is nothing to take over.
    legacy: answers.projectIds.map((projectId) => ({
      projectId,
      quotas: used === 'unified' ? null : (answers.quotas.get(projectId)?.quotas ?? null),
    })),
  }
}
