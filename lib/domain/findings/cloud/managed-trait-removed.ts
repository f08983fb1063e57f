import { judgeManagedTrait } from '@/lib/domain/cloud/judge-managed-trait'
import { listText } from '@/lib/domain/wording'
import { cloudReports, type JoinedHostDetector, makeFinding } from './detector'
import { traitCommand } from './trait-command'

/** A managed trait was removed from its provider manually: the console does not restore it, and an admin decides. */
export const managedTraitRemoved: JoinedHostDetector = {
  code: 'kept-trait-taken-off',
  title: 'A managed trait was removed',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection: 'Placement and console: a managed trait is missing on the same provider that had it before.',
    consequence:
      'Flavors that require the trait do not find these vGPUs. The console respects manual removals.',
    nextStep: 'Stop managing the trait on the page of the pGPU, or add the trait again.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap(({ pgpu, functions }) => {
      const gone = functions
        .flatMap((address) => fleet.managedTraits.get(`${joined.host.name} ${address}`) ?? [])
        .filter((managed) => judgeManagedTrait(fleet, managed).state === 'taken-off')
      const [first] = gone
      if (first === undefined) return []
      const traits = listText([...new Set(gone.map(({ trait }) => trait))])
      const names = listText(gone.map(({ providerName }) => providerName))
      return [
        makeFinding({
          code: 'kept-trait-taken-off',
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
          sentence: `managed trait ${traits} was removed from ${gone.length === 1 ? 'its provider' : `${gone.length} of its providers`}`,
          consequence: `Flavors that require ${traits} do not find these vGPUs. Nova did not recreate the provider, so the removal was manual. The console respects manual removals.`,
          nextStep:
            'If the removal was intended, stop managing the trait on the page of the pGPU. Otherwise, add the trait again.',
          command: traitCommand(
            gone.flatMap(({ providerUuid, trait }) => {
              const provider = fleet.providers.get(providerUuid ?? '')
              return provider === undefined ? [] : [{ provider, on: [trait] }]
            }),
          ),
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(fleet, 'providers', `${names}: without ${traits}`),
            { source: 'placement', reported: `${first.providerUuid} had ${first.trait} before`, at: null },
          ],
        }),
      ]
    }),
}
