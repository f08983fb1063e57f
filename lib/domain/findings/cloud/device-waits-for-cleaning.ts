import { isWaitingForCleaning, reservedInventories } from '@/lib/domain/cloud/reserved'
import { cloudReports, type JoinedHostDetector, makeFinding } from './detector'
import { releaseCommand } from './reserved-command'

const CODE = 'device-waits-for-cleaning'

/** A used one-time-use device: Nova offers it again only after an operator has released it. */
export const deviceWaitsForCleaning: JoinedHostDetector = {
  code: CODE,
  title: 'A used one-time-use device is waiting for cleaning',
  reference: {
    severities: ['warning'],
    sources: [],
    detection: 'Placement: the inventory of a one-time-use device is reserved and not used.',
    consequence: 'No server gets the device until it is released.',
    nextStep: 'Clean the device as your rules require, then set reserved to 0.',
  },
  needs: ['providers'],
  hostNeeds: ['root'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap(({ pgpu, providers }) =>
      reservedInventories(providers.filter(isWaitingForCleaning)).map((inventory) =>
        makeFinding({
          code: CODE,
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
          part: inventory.entry.address === pgpu.address ? null : inventory.entry.address,
          sentence: `the device was used once and is waiting for cleaning: ${inventory.reserved} of ${inventory.total} reserved`,
          consequence: 'The device is blocked: no server gets it until it is released.',
          nextStep: 'Clean the device as your rules require, then set reserved to 0.',
          command: releaseCommand(inventory),
          sourceToCorrect: null,
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `${inventory.entry.provider.name}: ${inventory.resourceClass} total ${inventory.total}, reserved ${inventory.reserved}, used 0`,
            ),
          ],
        }),
      ),
    ),
}
