import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { listText } from '@/lib/domain/wording'
import { cloudReports, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'

const CODE = 'flavor-class-without-device'

/** Classes that only PCI devices of GPUs have, with the names of such providers. */
const pciClasses = (fleet: Fleet): Map<string, string[]> => {
  const ofPci = new Map<string, string[]>()
  const others = new Set<string>()
  const seen = new Set<string>()
  const all = [
    ...fleet.hosts.flatMap(({ pgpus, strays }) => [
      ...pgpus.flatMap(({ providers }) => providers),
      ...strays,
    ]),
    ...fleet.unseen.flatMap(({ providers }) => providers),
  ]
  for (const { kind, provider } of all) {
    seen.add(provider.uuid)
    for (const name of Object.keys(provider.inventories ?? {}))
      if (kind === 'pci') ofPci.set(name, [...(ofPci.get(name) ?? []), provider.name])
      else others.add(name)
  }
  for (const { uuid, inventories } of fleet.providers.values())
    if (!seen.has(uuid)) for (const name of Object.keys(inventories ?? {})) others.add(name)
  return new Map([...ofPci].filter(([name]) => !others.has(name)))
}

/**
 * A flavor that requests the class of PCI devices by `resources:`. Placement allocates one, and the server gets none: only
 * `pci_passthrough:alias` attaches PCI devices (nova/pci/request.py get_pci_requests_from_flavor).
 */
export const flavorClassWithoutDevice: FleetDetector = {
  code: CODE,
  title: 'A flavor requests PCI devices by their class and gets none',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection: 'Flavors and Placement: resources: of a flavor requests a class that only PCI devices have.',
    consequence: 'Placement allocates a device that remains unused, and the server starts without a GPU.',
    nextStep:
      'Remove the class from the flavor, and add pci_passthrough:alias with an alias that matches the devices.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) => {
    const classes = pciClasses(fleet)
    return gpuFlavors(fleet).flatMap((view) =>
      view.classes.flatMap((name) => {
        const providers = classes.get(name)
        return providers === undefined
          ? []
          : [
              makeFinding({
                code: CODE,
                severity: 'error',
                subject: flavorSubject(view),
                part: name,
                sentence: `${view.flavor.name} requests ${name} by resources:, and its servers get no device`,
                consequence:
                  'Placement allocates a device to each server, which stays unused, and the server starts without a GPU.',
                nextStep: `Remove resources:${name} from the flavor, and add pci_passthrough:alias of a [pci] alias that matches these devices.`,
                sourceToCorrect: 'nova',
                evidence: [
                  flavorReports(fleet, view),
                  cloudReports(fleet, 'providers', `${name} on ${listText(providers, 4)}`),
                ],
              }),
            ]
      }),
    )
  },
}
