import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { usedOf } from '@/lib/domain/cloud/used-of'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'device-left-spec'

/** PCI providers of a pGPU of which no function is listed any more. */
const leftProviders = (joined: JoinedHost) =>
  joined.pgpus.flatMap(({ pgpu, providers }) =>
    listedFunctions(joined, pgpu).length > 0
      ? []
      : providers.filter(({ kind }) => kind === 'pci').map((entry) => ({ pgpu, entry })),
  )

/**
 * nova-compute keeps a device that left `device_spec` while it is allocated, and removes its provider at its next start when
 * it is free. Source: nova/pci/manager.py PciDevTracker._set_hvdevs, nova/compute/pci_placement_translator.py.
 */
export const deviceLeftSpec: JoinedHostDetector = {
  code: CODE,
  title: 'A device is in Placement but no longer in device_spec',
  reference: {
    severities: ['error', 'warning'],
    sources: ['placement', 'nova.conf'],
    detection:
      'Placement and nova.conf: a PCI provider of a pGPU exists, and no device_spec matches the pGPU or its VFs.',
    consequence:
      'If the device is allocated, Nova keeps it until its server leaves. If it is free, the scheduler can select it, and the server fails.',
    nextStep: 'Restart nova-compute after its servers have left, or list the device in device_spec again.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf'],
  detect: (joined, fleet) =>
    leftProviders(joined).map(({ pgpu, entry }) => {
      const used = usedOf([entry])
      return makeFinding({
        code: CODE,
        severity: used > 0 ? 'warning' : 'error',
        subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
        part: entry.address,
        sentence: `${entry.provider.name} is in Placement, but [pci] device_spec no longer lists it`,
        consequence:
          used > 0
            ? 'Nova keeps the device until its server is deleted or moved away.'
            : 'The scheduler can select the device, and the server then fails on the host.',
        nextStep:
          used > 0
            ? 'List the device in device_spec again, or move its server away and then restart nova-compute.'
            : 'Restart nova-compute, which removes the provider. If the device is to stay, list it in device_spec again.',
        // A restart keeps an allocated device.
        command: used > 0 ? null : novaUnitOf(joined.host.inventory).restart,
        sourceToCorrect: used > 0 ? 'nova.conf' : 'placement',
        evidence: [
          cloudReports(fleet, 'providers', `${entry.provider.name}: ${used} used`),
          hostReports(joined, 'nova.conf', `no device_spec matches ${pgpu.address} or its VFs`),
        ],
      })
    }),
}
