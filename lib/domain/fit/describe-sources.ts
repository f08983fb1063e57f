import { type Advertised, advertisedOf } from '@/lib/domain/cloud/advertised'
import {
  type ExpectedParent,
  expectedParents,
  expectedTotal,
  isPciInPlacement,
} from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { type CloudOccupant, occupantsOf } from '@/lib/domain/cloud/occupants'
import {
  isOverPromised,
  type SourceToCorrect,
  sourceOfOldTotal,
  sourceOfOverPromise,
  sourceOfType,
  sourceOfUntypedVfs,
  sourceOfUse,
} from '@/lib/domain/cloud/source-to-correct'
import { listedFunctions, vfPromiseOf } from '@/lib/domain/cloud/vf-promise'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import { isPci } from '@/lib/domain/pgpu/is-pci'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Known, Pgpu } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import {
  cellOf,
  knownCell,
  row,
  type SourceCell,
  type SourceColumn,
  type SourceRow,
  unsaid,
} from './source-rows'
import { type Stranded, strandedOf } from './stranded'

/** The time of a source's last report; `note` has the reason why it is old, null if it is not. */
type SourceTime = { at: string | null; note: string | null }

/** The four sources on one pGPU. Times are the console's clock, ISO 8601 UTC. Unit of numbers: vGPUs. */
export type PgpuSources = {
  rows: readonly SourceRow[]
  times: Readonly<Record<SourceColumn, SourceTime>>
  advertised: Advertised
  stranded: Stranded
  occupants: readonly CloudOccupant[]
}

const COLUMN_OF: Readonly<Record<SourceToCorrect, SourceColumn>> = {
  hardware: 'hardware',
  'nova.conf': 'novaConf',
  placement: 'placement',
  libvirt: 'libvirt',
}

type View = {
  fleet: Fleet
  joined: JoinedHost
  entry: JoinedPgpu
  pgpu: Pgpu
  parents: readonly ExpectedParent[] | null
  advertised: Advertised
  providerCount: number
  hasFreshHost: boolean
}

const labelOf = (pgpu: Pgpu, typeId: string): string => offeredTypeName(pgpu, typeId) ?? typeId

const typesOf = (pgpu: Pgpu, kinds: readonly string[]): string[] => [
  ...new Set(
    pgpu.cells
      .filter((cell) => kinds.includes(cell.kind) && cell.typeId !== null)
      .map((cell) => labelOf(pgpu, cell.typeId ?? '')),
  ),
]

const novaTypes = ({ pgpu, parents }: View): string[] => {
  const { configuredType } = pgpu
  // A card without its driver has no parents, and nova.conf names its type all the same.
  if (parents?.length === 0 && configuredType !== null) return [labelOf(pgpu, configuredType.typeId)]
  return [...new Set((parents ?? []).map((parent) => parent.typeId))].map((typeId) => labelOf(pgpu, typeId))
}

const novaTypeCell = ({ pgpu, parents }: View, configured: string[]): SourceCell | null => {
  if (parents === null) return unsaid('nova.conf or the mdevs could not be read')
  if (configured.length > 0) return knownCell(listText(configured))
  return isPci(pgpu) ? null : knownCell('none')
}

const outOfOrder = (pgpu: Pgpu, configured: string[]): SourceRow['disagree'] =>
  pgpu.framework === 'none' && configured.length > 0
    ? {
        column: COLUMN_OF[sourceOfType(false)],
        because: `nova.conf names ${listText(configured)}, and the card offers no vGPU types now`,
      }
    : null

const typeOdd = (made: string[], used: string[], configured: string[]): SourceRow['disagree'] => {
  if (configured.length === 0) return null
  const foreign = made.filter((name) => !configured.includes(name))
  if (foreign.length === 0) return null
  const inUse = used.filter((name) => !configured.includes(name))
  if (inUse.length > 0)
    return {
      column: COLUMN_OF[sourceOfType(true)],
      because: `hardware and guests are on ${listText(inUse)}, nova.conf names ${listText(configured)}`,
    }
  return {
    column: COLUMN_OF[sourceOfType(false)],
    because: `mdevs of ${listText(foreign)} are left that no guest holds, nova.conf names ${listText(configured)}`,
  }
}

const typeRow = (view: View): SourceRow => {
  const { pgpu } = view
  const made = typesOf(pgpu, ['used', 'spare', 'orphan', 'unknown'])
  const used = typesOf(pgpu, ['used'])
  const configured = novaTypes(view)
  const isUseKnown = pgpu.numbers.used.value !== null
  return row('type', 'vGPU type', {
    hardware: knownCell(
      made.length > 0 ? listText(made) : pgpu.framework === 'none' ? 'none offered' : 'none made',
    ),
    novaConf: novaTypeCell(view, configured),
    libvirt: isUseKnown
      ? knownCell(used.length > 0 ? listText(used) : 'none used')
      : unsaid(pgpu.numbers.used.reason ?? ''),
    disagree:
      view.hasFreshHost && isUseKnown
        ? (outOfOrder(pgpu, configured) ?? typeOdd(made, used, configured))
        : null,
  })
}

/** The classes of the functions that `device_spec` lists, which are in Placement with `report_in_placement` only. */
const pciClassCell = ({ joined, pgpu }: View): SourceCell | null => {
  const isInPlacement = isPciInPlacement(joined)
  if (isInPlacement === null) return unsaid('nova.conf could not be read')
  if (!isInPlacement) return null
  const ids = { vendorId: pgpu.vendorId, productId: pgpu.deviceId }
  const classes = listedFunctions(joined, pgpu).flatMap(
    ({ spec }) => pciClass(spec.resource_class, ids) ?? [],
  )
  return knownCell(listText([...new Set(classes)]) || 'none')
}

const classRow = (view: View): SourceRow => {
  const { parents, advertised, pgpu } = view
  const wanted = [
    ...new Set((parents ?? []).filter((entry) => entry.isSupported).map((entry) => entry.resourceClass)),
  ]
  const { classes } = advertised
  const odd = wanted.length > 0 && classes.some((name) => !wanted.includes(name))
  return row('class', 'Resource class', {
    novaConf: isPci(pgpu)
      ? pciClassCell(view)
      : parents === null
        ? unsaid('nova.conf could not be read')
        : knownCell(listText(wanted) || 'none'),
    placement:
      advertised.total.value === null
        ? unsaid(advertised.total.reason)
        : knownCell(listText(classes) || 'none'),
    disagree: odd
      ? {
          column: 'placement',
          because: `nova.conf makes it ${listText(wanted)}, Placement holds ${listText(classes)}`,
        }
      : null,
  })
}

/** VFs that Placement advertises and that have no type. */
const promiseOdd = ({ joined, entry }: View): SourceRow['disagree'] => {
  const promise = vfPromiseOf(joined, entry)
  if (promise === null || promise.by !== 'placement' || promise.untyped.length === 0) return null
  const { promised, untyped } = promise
  return {
    column: COLUMN_OF[sourceOfUntypedVfs(entry, promise)],
    because: `Placement offers ${formatNoun(promised, 'VF')}, but ${untyped.length} ${untyped.length === 1 ? 'has' : 'have'} no vGPU type`,
  }
}

const totalOdd = (view: View): SourceRow['disagree'] => {
  const { pgpu, parents, advertised, joined, entry } = view
  if (pgpu.framework === 'vendor-vfio') return promiseOdd(view)
  const capacity = pgpu.numbers.capacity.value
  const total = advertised.total.value
  const expected = expectedTotal(parents)
  if (total === null || expected.value === null || parents === null || parents.length === 0) return null
  if (isOverPromised(entry, total))
    return {
      column: COLUMN_OF[sourceOfOverPromise(entry, parents)],
      because: `only ${capacity} fit on the card; every free VF was counted as one`,
    }
  if (total > expected.value)
    return {
      column: COLUMN_OF[sourceOfOldTotal(joined, entry)],
      because: `Nova would count ${expected.value} here now, Placement still has ${total}`,
    }
  if (total < expected.value && !expected.isBound)
    return {
      column: COLUMN_OF[sourceOfOldTotal(joined, entry)],
      because: `Nova would count ${expected.value} here, Placement has only ${total}`,
    }
  if (capacity !== null && total > capacity)
    return {
      column: 'placement',
      because: `only ${capacity} fit on the card; every free VF was counted as one`,
    }
  return null
}

const numberRows = (view: View): SourceRow[] => {
  const { pgpu, advertised, parents } = view
  const { numbers } = pgpu
  const expected = expectedTotal(parents)
  const used = numbers.used.value
  const allocated = advertised.used.value
  const differs = view.hasFreshHost && used !== null && allocated !== null && used !== allocated
  const usedBecause =
    (allocated ?? 0) > (used ?? 0)
      ? `Placement has ${allocated} allocated, guests hold ${used}`
      : `guests hold ${used}, Placement has only ${allocated} allocated`
  const isSliced = pgpu.framework === 'mdev' || pgpu.framework === 'mdev-sriov'
  return [
    row('total', 'Capacity', {
      hardware: cellOf(numbers.capacity),
      novaConf: isSliced
        ? expected.value === null
          ? unsaid(expected.reason)
          : knownCell(expected.value)
        : null,
      placement: cellOf(advertised.total),
      disagree: view.hasFreshHost ? totalOdd(view) : null,
    }),
    row('used', 'Used', {
      placement: cellOf(advertised.used),
      libvirt: cellOf(numbers.used),
      disagree: differs
        ? {
            column: COLUMN_OF[sourceOfUse(view.fleet, view.joined, { entry: view.entry, used, allocated })],
            because: usedBecause,
          }
        : null,
    }),
    row('free', 'Free', { hardware: cellOf(freeOf(numbers)), placement: cellOf(advertised.free) }),
    row('spare', 'Spare', { hardware: cellOf(numbers.spare) }),
    row('orphan', 'Orphan', { hardware: cellOf(numbers.orphan) }),
    row('returning', 'Returning', { hardware: cellOf(numbers.returning) }),
  ]
}

const freeOf = ({ spare, creatable }: Pgpu['numbers']): Known => {
  if (spare.value === null) return spare
  return creatable.value === null ? creatable : { value: spare.value + creatable.value, reason: null }
}

const providerRows = (
  { advertised, providerCount, parents, pgpu }: View,
  reason: string | null,
): SourceRow[] => {
  const traits: SourceCell =
    advertised.traits === null
      ? unsaid(reason ?? 'the traits have not been read')
      : knownCell(advertised.traits.length > 0 ? listText(advertised.traits) : 'none')
  return [
    row('providers', 'Resource providers', {
      hardware: parents === null || isPci(pgpu) ? null : knownCell(parents.length),
      placement: reason === null ? knownCell(providerCount) : unsaid(reason),
    }),
    row('traits', 'Traits', { placement: traits }),
  ]
}

/**
 * What hardware, nova.conf, Placement and libvirt say of one pGPU, row by row, with the odd cell marked where fresh words
 * disagree. Old words are shown with their time and never called wrong.
 */
export const describeSources = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): PgpuSources => {
  const advertised = advertisedOf(fleet, joined, entry)
  const placementGap = cloudGap(fleet.input, 'providers')
  const view: View = {
    fleet,
    joined,
    entry,
    pgpu: entry.pgpu,
    parents: expectedParents(joined, entry.pgpu.address),
    advertised,
    providerCount: entry.providers.length,
    hasFreshHost: !joined.host.isSilent,
  }
  const missing =
    advertised.total.value === null && entry.providers.length === 0 ? advertised.total.reason : null
  const rows = [typeRow(view), classRow(view), ...numberRows(view), ...providerRows(view, missing)]
  const hostTime: SourceTime = {
    at: joined.host.seenAt,
    note: joined.host.isSilent ? 'the host has been silent since then' : null,
  }
  return {
    rows: placementGap === null ? rows : rows.map(withoutDisagreement),
    times: {
      hardware: hostTime,
      novaConf: hostTime,
      placement: { at: fleet.input.facts.providers.at, note: placementGap },
      libvirt: hostTime,
    },
    advertised,
    stranded: strandedOf(fleet, joined, entry),
    occupants: occupantsOf(fleet, entry),
  }
}

const withoutDisagreement = (entry: SourceRow): SourceRow =>
  entry.disagree !== null && entry.placement !== null ? { ...entry, disagree: null } : entry
