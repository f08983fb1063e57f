import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitNamedAlike, typeNamedBy } from '@/lib/domain/cloud/type-traits'
import { listText } from '@/lib/domain/wording'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'
import { traitCommand } from './trait-command'

const typeOf = ({ pgpu }: JoinedPgpu, typeId: string) =>
  (pgpu.supportedTypes ?? []).find((type) => type.typeId === typeId) ?? null

/** vGPUs of the type exist on the parent: then the trait is right about it, and nova.conf is not. */
const isThere = ({ pgpu }: JoinedPgpu, address: string, typeId: string): boolean =>
  pgpu.cells.some((cell) => cell.address === address && cell.typeId === typeId)

/** A custom trait of a provider names another vGPU type of this card than the one that nova.conf gives the parent. */
export const traitNamesOtherType: JoinedHostDetector = {
  code: 'trait-names-other-type',
  title: 'A trait names another type than the card has',
  reference: {
    severities: ['error'],
    sources: ['placement'],
    detection:
      'Placement, nova.conf and sysfs: a custom trait of a provider names another vGPU type than nova.conf assigns to its parent.',
    consequence: 'Servers that require the trait get another vGPU type.',
    nextStep: 'Replace the trait with the trait of the configured type.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry) => {
      const parents = new Map(
        (expectedParents(joined, entry.pgpu.address) ?? []).map((parent) => [parent.address, parent]),
      )
      const wrong = entry.providers.flatMap(({ provider, address }) => {
        const parent = parents.get(address)
        if (parent === undefined || !parent.isSupported) return []
        return (provider.traits ?? [])
          .map((trait) => ({
            provider,
            trait,
            named: typeNamedBy(entry.pgpu.supportedTypes ?? [], trait),
            typeId: parent.typeId,
          }))
          .filter(
            ({ named, typeId }) =>
              named !== null && named.typeId !== typeId && !isThere(entry, address, named.typeId),
          )
      })
      const [first] = wrong
      if (first === undefined) return []
      const actual = typeOf(entry, first.typeId)?.shortName
      return [
        makeFinding({
          code: 'trait-names-other-type',
          severity: 'error',
          subject: { kind: 'pgpu', host: joined.host.name, address: entry.pgpu.address },
          sentence: `the trait ${first.trait} names ${first.named?.shortName}, but the card has ${actual ?? first.typeId}`,
          consequence: `Servers that require ${first.trait} get ${actual ?? first.typeId} instead.`,
          nextStep: 'Replace the trait of the resource provider with the trait of its type.',
          command: traitCommand(
            wrong.map(({ provider, trait, named, typeId }) => {
              const to = typeOf(entry, typeId)
              const right = to === null || named === null ? null : traitNamedAlike(trait, { from: named, to })
              return { provider, off: [trait], on: right === null ? [] : [right] }
            }),
          ),
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(
              fleet,
              'providers',
              `${listText(wrong.map(({ provider }) => provider.name))}: ${first.trait}`,
            ),
            hostReports(joined, 'nova.conf', `${entry.pgpu.configuredType?.source} names ${first.typeId}`),
            hostReports(joined, 'hardware', `the driver calls it ${actual ?? first.typeId}`),
          ],
        }),
      ]
    }),
}
