import { type ExpectedParent, expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { isHeldByOthers, sourceOfOldTotal } from '@/lib/domain/cloud/source-to-correct'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

type Difference = { entry: GpuProvider; total: number; expected: number }

const totalOf = ({ provider }: GpuProvider): number | null =>
  provider.inventories === null
    ? null
    : Object.values(provider.inventories).reduce((sum, { total, capacity }) => sum + (total ?? capacity), 0)

const hasOtherType = ({ pgpu }: JoinedPgpu, typeId: string): boolean =>
  pgpu.cells.some((cell) => cell.typeId !== null && cell.typeId !== typeId)

/**
 * A VF that offers nothing because its card is full loses its provider at Nova's next period, so on SR-IOV cards only room
 * that another type has taken is a lasting difference.
 */
const differenceOf = (joined: JoinedPgpu, parent: ExpectedParent): Difference | null => {
  const entry = joined.providers.find(({ kind, address }) => kind === 'mdev' && address === parent.address)
  const total = entry === undefined ? null : totalOf(entry)
  if (entry === undefined || total === null || parent.available === null || !parent.isSupported) return null
  const expected = parent.made + parent.available
  if (joined.pgpu.framework === 'mdev-sriov' && !(expected === 0 && hasOtherType(joined, parent.typeId)))
    return null
  if (total < expected && parent.maxInstances !== null) return null
  return total === expected ? null : { entry, total, expected }
}

const sum = (differences: readonly Difference[], name: 'total' | 'expected'): number =>
  differences.reduce((total, difference) => total + difference[name], 0)

const stepFor = (orphans: number, isHeld: boolean): string => {
  if (isHeld)
    return 'Configure the old type in nova.conf again, or first migrate the servers that hold it. A restart alone does not help: Nova cannot remove a provider with allocations.'
  return orphans > 0
    ? 'Destroy and undefine the orphaned mdevs that hold the card on the old type, then wait one period of nova-compute.'
    : 'Search the log of nova-compute for “Error updating resources for node”. Restart nova-compute if it runs with an older nova.conf.'
}

const findingFor = (joined: JoinedHost, entry: JoinedPgpu, differences: readonly Difference[]) => {
  const { pgpu } = entry
  const isHeld = isHeldByOthers(joined, entry)
  const total = sum(differences, 'total')
  const expected = sum(differences, 'expected')
  const typeId = pgpu.configuredType?.typeId ?? ''
  const type = offeredTypeName(pgpu, typeId) ?? typeId
  const orphans = pgpu.numbers.orphan.value ?? 0
  return {
    code: 'placement-total-old' as const,
    severity: total > expected ? ('error' as const) : ('warning' as const),
    subject: { kind: 'pgpu' as const, host: joined.host.name, address: pgpu.address },
    sentence: `Placement reports ${total} vGPUs, but ${expected} of ${type} can exist`,
    consequence:
      total > expected
        ? 'The scheduler sends servers here that then fail with NoValidHost.'
        : 'The scheduler leaves vGPUs of the card unused.',
    nextStep: stepFor(orphans, isHeld),
    command: null,
    sourceToCorrect: sourceOfOldTotal(joined, entry),
  }
}

/** The first seed's sign: the total in Placement is not that of the configured type on this hardware. */
export const placementTotalOld: JoinedHostDetector = {
  code: 'placement-total-old',
  title: 'The total in Placement does not match the hardware',
  reference: {
    severities: ['error', 'warning'],
    sources: ['placement', 'nova.conf'],
    detection:
      'Placement, sysfs and nova.conf: the total of a provider differs from the vGPUs of the configured type that exist or can be created.',
    consequence:
      'With a higher total, servers fail with NoValidHost. With a lower total, vGPUs remain unused.',
    nextStep:
      'Remove orphaned mdevs, or restart nova-compute. If servers hold the old type, move them or configure the old type again.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry) => {
      const parents = expectedParents(joined, entry.pgpu.address) ?? []
      const differences = parents
        .map((parent) => differenceOf(entry, parent))
        .filter((found) => found !== null)
      if (differences.length === 0) return []
      const names = listText(differences.map(({ entry: { provider } }) => provider.name))
      const { orphan, used } = entry.pgpu.numbers
      const orphans = orphan.value ?? 0
      return [
        makeFinding({
          ...findingFor(joined, entry, differences),
          evidence: [
            cloudReports(fleet, 'providers', `${names}: total ${sum(differences, 'total')}`),
            hostReports(
              joined,
              'hardware',
              `created and available of ${entry.pgpu.configuredType?.typeId}: ${sum(differences, 'expected')}${orphans > 0 ? `, ${formatNoun(orphans, 'orphaned mdev')}` : ''}`,
            ),
            hostReports(
              joined,
              'nova.conf',
              `${entry.pgpu.configuredType?.source} names ${entry.pgpu.configuredType?.typeId}`,
            ),
            hostReports(joined, 'libvirt', used.value === null ? used.reason : `guests hold ${used.value}`),
          ],
        }),
      ]
    }),
}
