import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { listText } from '@/lib/domain/wording'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** Placement has a pGPU under another resource class than nova.conf sets, and nothing of it is in use. */
export const placementClassOld: JoinedHostDetector = {
  code: 'placement-class-old',
  title: 'A pGPU has an old resource class in Placement',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'nova.conf and Placement: the provider of a pGPU has an unused inventory of another resource class than nova.conf configures.',
    consequence: 'Flavors that request the new class do not find the pGPU.',
    nextStep: 'Restart nova-compute.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap(({ pgpu, providers }) => {
      const parents = new Map(
        (expectedParents(joined, pgpu.address) ?? []).map((parent) => [parent.address, parent.resourceClass]),
      )
      const wrong = providers.filter(({ kind, address, provider }) => {
        const held = Object.entries(provider.inventories ?? {})
        const wanted = parents.get(address)
        return (
          kind === 'mdev' &&
          wanted !== undefined &&
          held.some(([name, { used }]) => name !== wanted && used === 0)
        )
      })
      const [first] = wrong
      if (first === undefined) return []
      const held = listText(Object.keys(first.provider.inventories ?? {}))
      const wanted = parents.get(first.address) ?? ''
      return [
        makeFinding({
          code: 'placement-class-old',
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
          sentence: `Placement has the resource class ${held}, but nova.conf configures ${wanted}`,
          consequence: `Flavors that request ${wanted} do not find the pGPU, and those that request ${held} still do.`,
          nextStep: 'Restart nova-compute so that it reads nova.conf.',
          command: novaUnitOf(joined.host.inventory).restart,
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `${listText(wrong.map(({ provider }) => provider.name))}: ${held}`,
            ),
            hostReports(joined, 'nova.conf', `the configured class is ${wanted}`),
          ],
        }),
      ]
    }),
}
