import { hasProjectLimits, limitView } from '@/lib/domain/limits/limit-view'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'
import { driverEvidence, limitSubject } from './limit-evidence'

/** A registered limit without region: oslo.limit asks with the region of Nova's endpoint and does not find it. */
export const limitRegionNull: FleetDetector = {
  code: 'limit-region-null',
  title: 'A registered limit has no region and is not found by Nova',
  reference: {
    severities: ['error', 'warning'],
    sources: ['keystone'],
    detection: "Keystone: a registered limit has no region, and Nova's endpoint has one.",
    consequence: 'Nova does not find the registered limit.',
    nextStep: "Register the limit in the region of Nova's endpoint, and delete the row without a region.",
  },
  needs: ['limits'],
  detect: (fleet) => {
    const view = limitView(fleet)
    const region = view?.limits.novaRegionId ?? null
    if (view === null || region === null) return []
    return view.registered
      .filter(({ regionId }) => regionId === null)
      .map((row) => {
        const inRegion = view.effective.get(row.resourceName)
        const isFixed = hasProjectLimits(view, row)
        return makeFinding({
          code: 'limit-region-null',
          severity: inRegion === undefined ? 'error' : 'warning',
          subject: limitSubject(row.resourceName, null),
          sentence:
            inRegion === undefined
              ? `${row.resourceName} is registered without a region, and Nova searches in ${region}`
              : `${row.resourceName} is registered twice: ${row.defaultLimit} without a region, ${inRegion.defaultLimit} in ${region}`,
          consequence: `Nova never uses the limit of ${row.defaultLimit} without a region.`,
          nextStep: [
            ...(inRegion === undefined ? [`Register the limit in ${region}.`] : []),
            ...(isFixed ? [`Delete the project limits of ${row.resourceName} without a region.`] : []),
            'Delete the row without a region.',
          ].join(' '),
          command: isFixed ? null : sh`openstack registered limit delete ${shellOperands([row.id])}`,
          sourceToCorrect: 'keystone',
          evidence: [
            cloudReports(fleet, 'limits', `${row.resourceName}: ${row.defaultLimit}, region null`),
            cloudReports(fleet, 'limits', `Nova's endpoint is in ${region}`),
            ...driverEvidence(fleet),
          ],
        })
      })
  },
}
