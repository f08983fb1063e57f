import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { isRequired, limitView, requestedClasses } from '@/lib/domain/limits/limit-view'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { placementView } from './flavor-view'
import { driverEvidence, limitSubject, versionEvidence } from './limit-evidence'

const CODE = 'limit-class-not-registered'

const capacityOf = (fleet: Fleet, name: string): number =>
  [...fleet.providers.values()].reduce(
    (sum, { inventories }) => sum + (inventories?.[name]?.capacity ?? 0),
    0,
  )

/** A class that flavors ask for has no registered limit that Nova finds: 0 up to 2024.2, mostly unlimited after. */
export const limitClassNotRegistered: FleetDetector = {
  code: CODE,
  title: 'A resource class has no registered limit',
  reference: {
    severities: ['error', 'warning'],
    sources: ['keystone'],
    detection:
      "Keystone and flavors: a requested resource class has no registered limit in the region of Nova's endpoint.",
    consequence:
      'Up to 2024.2, Nova refuses every server of the flavor with 403. Later releases treat the class as unlimited.',
    nextStep: "Register a limit in the region of Nova's endpoint.",
  },
  needs: ['limits', 'flavors'],
  detect: (fleet) => {
    const view = limitView(fleet)
    if (view === null) return []
    const region = view.limits.novaRegionId
    const { classes } = placementView(fleet)
    return (
      [...requestedClasses(fleet)]
        // A class that nothing offers is a finding of the flavor.
        .filter(([name]) => classes.size === 0 || classes.has(name))
        .filter(([name]) => !view.effective.has(`class:${name}`))
        .map(([name, flavor]) => ({ name: `class:${name}`, flavor, capacity: capacityOf(fleet, name) }))
        .map(({ name, flavor, capacity }): Detected => {
          const subject = limitSubject(name, region)
          if (view.isUnlimitedKnown === null)
            return { code: CODE, scope: subject, because: "Nova's release could not be read" }
          const isZero = !view.isUnlimitedKnown || isRequired(fleet, name)
          return makeFinding({
            code: CODE,
            severity: isZero ? 'error' : 'warning',
            subject,
            sentence: `${name} has no registered limit: it counts as ${isZero ? '0' : 'unlimited'}`,
            consequence: isZero
              ? `Every server of a flavor like ${flavor} is refused with 403.`
              : 'Each project can use any number of them.',
            nextStep: `Register a default limit in the region of Nova's endpoint. It applies to each project without a limit. ${capacity} is the capacity in Placement, so no server is refused; with a lower default, set limits for the projects that need more.`,
            // Without a region Keystone registers a limit that Nova does not find. 0 would refuse every server of the flavor.
            command:
              region === null
                ? null
                : sh`openstack registered limit create --service nova ${shellOption(sh`--region`, region)} --default-limit ${capacity} ${shellOperands([name])}`,
            sourceToCorrect: 'keystone',
            evidence: [
              cloudReports(fleet, 'limits', `no registered limit ${name} in region ${region ?? 'null'}`),
              cloudReports(fleet, 'flavors', `${flavor} requests it`),
              versionEvidence(fleet),
              ...driverEvidence(fleet),
            ],
          })
        })
    )
  },
}
