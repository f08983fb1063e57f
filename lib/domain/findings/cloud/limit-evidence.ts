import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { answerLabel, knownDriver } from '@/lib/domain/cloud/known-driver'
import type { Evidence, Subject } from '../finding'
import { cloudReports } from './detector'

export const limitSubject = (
  resourceName: string,
  regionId: string | null,
  projectId: string | null = null,
): Subject => ({
  kind: 'limit',
  resourceName,
  regionId,
  projectId,
})

/** The admin's answer, where limits count because of it. */
export const driverEvidence = (fleet: Fleet): Evidence[] => {
  const entered = fleet.input.quotaDriver ?? null
  return entered === null || knownDriver(fleet).source !== 'answer'
    ? []
    : [{ source: 'nova.conf', reported: answerLabel(entered), at: entered.at }]
}

export const versionEvidence = (fleet: Fleet): Evidence =>
  cloudReports(fleet, 'flavors', `compute API up to ${fleet.input.facts.versions.nova}`)
