import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject, placementView } from './flavor-view'

const CODE = 'flavor-class-without-inventory'

/** A flavor that requests a resource class of which no provider has an inventory. */
export const flavorClassWithoutInventory: FleetDetector = {
  code: CODE,
  title: 'A flavor requests a resource class that no provider offers',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection:
      'Flavors and Placement: a flavor requests a resource class that no provider has in its inventory.',
    consequence: 'Every server of the flavor ends in NoValidHost.',
    nextStep: 'Request an existing class, or create the class with mdev_class or device_spec on a host.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) => {
    const { classes, unread } = placementView(fleet)
    return gpuFlavors(fleet).flatMap((view) =>
      view.classes
        .filter((name) => !classes.has(name))
        .map((name): Detected => {
          const subject = flavorSubject(view)
          if (unread !== null)
            return { code: CODE, scope: subject, because: `the inventory of ${unread} has not been read` }
          return makeFinding({
            code: CODE,
            severity: 'error',
            subject,
            part: name,
            sentence: `${view.flavor.name} requests ${name}, which no provider offers`,
            consequence: 'Every server of this flavor ends in NoValidHost.',
            nextStep: `Request an existing class, or create ${name} with mdev_class or device_spec on a host.`,
            command: null,
            sourceToCorrect: 'nova',
            evidence: [
              flavorReports(fleet, view),
              cloudReports(fleet, 'providers', `no inventory of ${name}`),
            ],
          })
        }),
    )
  },
}
