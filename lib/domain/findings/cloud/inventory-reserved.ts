import { isOneTimeUse, isWaitingForCleaning, reservedInventories } from '@/lib/domain/cloud/reserved'
import { cloudReports, type JoinedHostDetector, makeFinding } from './detector'
import { releaseCommand } from './reserved-command'

const CODE = 'inventory-reserved'

/**
 * `reserved` of a GPU's inventory. Nova itself writes 0, except for one-time-use devices, which have a separate finding
 * (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
export const inventoryReserved: JoinedHostDetector = {
  code: CODE,
  title: 'Placement reserves GPUs',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'Placement: the inventory of a pGPU has a reserved amount, and the device is not a one-time-use device.',
    consequence: 'The scheduler does not assign the reserved amount.',
    nextStep:
      'Set reserved to 0. For vGPUs, Nova sets 0 at each update: if the value stays, check the log of nova-compute.',
  },
  needs: ['providers'],
  hostNeeds: ['root'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap(({ pgpu, providers }) =>
      reservedInventories(
        providers.filter((entry) => !isOneTimeUse(entry) && !isWaitingForCleaning(entry)),
      ).map((inventory) => {
        const { entry, resourceClass, reserved, total } = inventory
        return makeFinding({
          code: CODE,
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
          part: `${entry.address}/${resourceClass}`,
          sentence: `Placement reserves ${reserved} of ${total} ${resourceClass}`,
          consequence: `The scheduler assigns at most ${Math.max(0, total - reserved)} of ${total}.`,
          nextStep:
            entry.kind === 'mdev'
              ? 'Nova writes 0 at each update of this inventory. If the value stays, check the log of nova-compute for “Error updating resources for node”.'
              : 'Set reserved to 0 when the reservation is no longer needed.',
          command: releaseCommand(inventory),
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `${entry.provider.name}: ${resourceClass} total ${total}, reserved ${reserved}`,
            ),
          ],
        })
      }),
    ),
}
