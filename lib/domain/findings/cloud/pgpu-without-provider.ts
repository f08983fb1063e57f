import { closedBecause } from '@/lib/domain/cloud/closed-because'
import { expectedParents, expectedTotal, isPciInPlacement } from '@/lib/domain/cloud/expected-providers'
import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { isPci } from '@/lib/domain/pgpu/is-pci'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** `lost` is what no server gets, `what` the evidence for it. */
type Missing = { lost: string; what: string; source: string }

const nameOf = (pgpu: Pgpu, typeId: string | undefined): string | undefined =>
  offeredTypeName(pgpu, typeId) ?? typeId

const missingMdev = (joined: JoinedHost, { pgpu }: JoinedPgpu): Missing | null => {
  const parents = expectedParents(joined, pgpu.address) ?? []
  const supported = parents.filter((parent) => parent.isSupported)
  const expected = expectedTotal(supported)
  // With max_instances Nova may intentionally leave a pGPU out; a detector of nova.conf reports that.
  if (expected.value === null || expected.value === 0 || expected.isBound) return null
  return {
    lost: `its ${formatNoun(expected.value, 'vGPU')} of ${nameOf(pgpu, supported[0]?.typeId)}`,
    what: `${expected.value} of ${supported[0]?.typeId} can exist`,
    source: `${pgpu.configuredType?.source} names ${pgpu.configuredType?.typeId}`,
  }
}

const missingPci = (joined: JoinedHost, { pgpu }: JoinedPgpu): Missing | null => {
  const listed = listedFunctions(joined, pgpu)
  const [first] = listed
  if (first === undefined || isPciInPlacement(joined) !== true) return null
  const isWhole = pgpu.framework === 'passthrough' && listed.length === 1
  return {
    lost: isWhole ? 'this card' : `its ${formatNoun(listed.length, 'VF')}`,
    what: `${formatNoun(listed.length, 'device')} to assign`,
    source: `${first.spec.source} assigns it`,
  }
}

/** Servers that were placed before the provider went keep what they hold. */
const isHeld = ({ pgpu: { numbers } }: JoinedPgpu): boolean => (numbers.used.value ?? 0) > 0

/** A pGPU that nova.conf configures and the hardware could give, and that Placement does not know. */
export const pgpuWithoutProvider: JoinedHostDetector = {
  code: 'pgpu-without-provider',
  title: 'A configured pGPU has no resource provider',
  reference: {
    severities: ['error'],
    sources: ['placement'],
    detection:
      'nova.conf, sysfs and Placement: nova.conf configures a pGPU that can hold vGPUs, and Placement has no provider for it.',
    consequence: 'The scheduler never uses the pGPU.',
    nextStep: 'Restart nova-compute, and search its log for “Error updating resources for node”.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry) => {
      if (entry.providers.length > 0) return []
      const missing = isPci(entry.pgpu) ? missingPci(joined, entry) : missingMdev(joined, entry)
      if (missing === null) return []
      const closed = closedBecause(joined)
      return [
        makeFinding({
          code: 'pgpu-without-provider',
          severity: 'error',
          subject: { kind: 'pgpu', host: joined.host.name, address: entry.pgpu.address },
          sentence: `no provider in Placement, so no ${isHeld(entry) ? 'new server' : 'server'} gets ${missing.lost}`,
          consequence: 'The scheduler never uses this pGPU.',
          nextStep:
            closed === null
              ? 'Restart nova-compute so that it reads nova.conf, and search its log for “Error updating resources for node”.'
              : `First repair nova-compute (${closed}). It then creates the provider.`,
          command: novaUnitOf(joined.host.inventory).restart,
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(fleet, 'providers', `no ${providerNameFor(joined, entry.functions[0] ?? '')}`),
            hostReports(joined, 'nova.conf', missing.source),
            hostReports(joined, 'hardware', missing.what),
          ],
        }),
      ]
    }),
}
