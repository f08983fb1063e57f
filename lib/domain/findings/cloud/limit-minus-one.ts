import { hasProjectLimits, type LimitView, limitView } from '@/lib/domain/limits/limit-view'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { driverEvidence, limitSubject, versionEvidence } from './limit-evidence'

const CODE = 'limit-minus-one'

const SET_NUMBER = 'Set a high number instead of -1 until the cloud runs 2025.1 or newer.'

const registeredRows = (view: LimitView) =>
  view.registered
    .filter(({ defaultLimit }) => defaultLimit === -1)
    .map((row) => {
      const isFixed = hasProjectLimits(view, row)
      return {
        resourceName: row.resourceName,
        regionId: row.regionId,
        projectId: null,
        nextStep: isFixed
          ? `Delete the project limits of ${row.resourceName}, set the default limit, then create them again.`
          : SET_NUMBER,
        command: isFixed
          ? null
          : sh`openstack registered limit set --default-limit 1000000 ${shellOperands([row.id])}`,
      }
    })

const projectRows = ({ limits }: LimitView) =>
  (limits.project ?? [])
    .filter(({ serviceId, resourceLimit }) => serviceId === limits.novaServiceId && resourceLimit === -1)
    .map(({ id, resourceName, regionId, projectId }) => ({
      resourceName,
      regionId,
      projectId,
      nextStep: SET_NUMBER,
      command: sh`openstack limit set --resource-limit 1000000 ${shellOperands([id])}`,
    }))

/**
 * Nova before 31 takes -1 literally: any use is above it, so everything is refused (nova/limit/utils.py should_enforce).
 */
export const limitMinusOne: FleetDetector = {
  code: CODE,
  title: 'A limit of -1 blocks everything on this release',
  reference: {
    severities: ['error'],
    sources: ['keystone'],
    detection: "Keystone and Nova's release: a limit is -1, and Nova is older than 31 (2025.1).",
    consequence: 'Nova refuses every request for the resource with 403.',
    nextStep: SET_NUMBER,
  },
  needs: ['limits'],
  detect: (fleet) => {
    const view = limitView(fleet)
    if (view === null || view.isUnlimitedKnown === true) return []
    return [...registeredRows(view), ...projectRows(view)].map((row): Detected => {
      const subject = limitSubject(row.resourceName, row.regionId, row.projectId)
      if (view.isUnlimitedKnown === null)
        return { code: CODE, scope: subject, because: "Nova's release could not be read" }
      return makeFinding({
        code: CODE,
        severity: 'error',
        subject,
        sentence: `${row.resourceName} is -1, which this release does not treat as unlimited`,
        consequence: 'Every request for it is refused with 403.',
        nextStep: row.nextStep,
        command: row.command,
        sourceToCorrect: 'keystone',
        evidence: [
          cloudReports(fleet, 'limits', `${row.resourceName}: -1`),
          versionEvidence(fleet),
          ...driverEvidence(fleet),
        ],
      })
    })
  },
}
