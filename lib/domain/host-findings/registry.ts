import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { addressDuplicate } from './address-duplicate'
import { addressFormat } from './address-format'
import { addressNotAParent } from './address-not-a-parent'
import { addressWithoutDevice } from './address-without-device'
import { claimedTwice } from './claimed-twice'
import type { CardDetector, Detector, HostFacts, HostParts, LocatedFinding } from './detector'
import { deviceSpecMalformed } from './device-spec-malformed'
import { doubleClaims } from './double-claims'
import { guestNamesMissingMdev } from './guest-names-missing-mdev'
import { iommuGroupNotIsolated } from './iommu-group-not-isolated'
import { maxInstances } from './max-instances'
import { mdevClassWithoutAddresses } from './mdev-class-without-addresses'
import { mdevGroupNotEnabled } from './mdev-group-not-enabled'
import { mdevWithoutType } from './mdev-without-type'
import { mixedTypes } from './mixed-types'
import { noTypeConfigured } from './no-type-configured'
import { oldOptionNames } from './old-option-names'
import { optionInvalid } from './option-invalid'
import { orphanMdevs } from './orphan-mdevs'
import { passthroughDriver } from './passthrough-driver'
import { pciOptionMisplaced } from './pci-option-misplaced'
import { returningMdevs } from './returning-mdevs'
import { scanProblems } from './scan-problems'
import { secondDefaultDropped } from './second-default-dropped'
import { compareSeverity } from './severity'
import { sriovOverPromise } from './sriov-over-promise'
import { tooFewVfsListed } from './too-few-vfs-listed'
import { typeNotSupported } from './type-not-supported'
import { unreadSources } from './unread-sources'
import { usedTypeNotConfigured } from './used-type-not-configured'
import { vendorVfioNotListed } from './vendor-vfio-not-listed'
import { vfsNotEnabled } from './vfs-not-enabled'

/**
 * What a detector looks at, so that its findings stand while that does; the property test of the host's memory holds it.
 * `card`: one card with its mdevs and guests, nova.conf, the scan's problems and the addresses of the host's GPUs.
 * `config`: nova.conf, the scan's problems and the inventory's `host`. `layout`: nova.conf, the scan's problems, and of the
 * cards only what no vGPU changes: their functions, framework and configured type. `claims`: the guests, the mdevs, the scan's
 * problems and whose function is whose. `cards`: nova.conf and all cards. Only `layout` and `claims` look at the owners.
 */
export type HostScope = 'config' | 'layout' | 'claims' | 'cards'

type Entry = readonly [scope: 'card', detect: CardDetector] | readonly [scope: HostScope, detect: Detector]

/** All detectors; within a severity their findings keep this order. */
const DETECTORS: readonly Entry[] = [
  ['config', addressDuplicate],
  ['layout', addressFormat],
  ['config', optionInvalid],
  ['config', deviceSpecMalformed],
  ['config', mdevClassWithoutAddresses],
  ['card', typeNotSupported],
  ['claims', doubleClaims],
  ['claims', guestNamesMissingMdev],
  ['card', orphanMdevs],
  ['card', usedTypeNotConfigured],
  ['card', returningMdevs],
  ['card', sriovOverPromise],
  ['cards', maxInstances],
  ['card', tooFewVfsListed],
  ['card', vfsNotEnabled],
  ['layout', addressNotAParent],
  ['layout', addressWithoutDevice],
  ['config', secondDefaultDropped],
  ['layout', mdevGroupNotEnabled],
  ['card', claimedTwice],
  ['card', passthroughDriver],
  ['card', iommuGroupNotIsolated],
  ['card', vendorVfioNotListed],
  ['card', mdevWithoutType],
  ['layout', unreadSources],
  ['config', scanProblems],
  ['card', noTypeConfigured],
  ['card', mixedTypes],
  ['config', pciOptionMisplaced],
  ['config', oldOptionNames],
]

/** With their places in the registry. */
type Placed<Kind> = { detect: Kind; place: number }[]

const OF_CARD: Placed<CardDetector> = DETECTORS.flatMap((entry, place) =>
  entry[0] === 'card' ? [{ detect: entry[1], place }] : [],
)

const placedIn = (scope: HostScope): Placed<Detector> =>
  DETECTORS.flatMap((entry, place) =>
    entry[0] !== 'card' && entry[0] === scope ? [{ detect: entry[1], place }] : [],
  )

const OF_HOST: { readonly [Name in HostScope]: Placed<Detector> } = {
  config: placedIn('config'),
  layout: placedIn('layout'),
  claims: placedIn('claims'),
  cards: placedIn('cards'),
}

/** Of one detector: more say no more, and a report that is odd on purpose must not fill the tables. */
const MOST_FINDINGS = 256

/** Findings by the place of their detector in the registry. */
export type FindingsByDetector = ReadonlyMap<number, readonly LocatedFinding[]>

export const NO_FINDINGS: FindingsByDetector = new Map()

const collect = <Kind>(
  detectors: Placed<Kind>,
  run: (detect: Kind) => readonly LocatedFinding[],
): FindingsByDetector => {
  let found: Map<number, readonly LocatedFinding[]> | null = null
  for (const { detect, place } of detectors) {
    const findings = run(detect)
    if (findings.length === 0) continue
    found ??= new Map()
    found.set(place, findings)
  }
  return found ?? NO_FINDINGS
}

/** What the detectors of a scope find on a host; NO_FINDINGS itself when that is nothing. */
export const detectOnHost = (scope: HostScope, host: HostFacts): FindingsByDetector =>
  collect(OF_HOST[scope], (detect) => detect(host))

/** The same of the detectors of scope `card` on one of them. */
export const detectOnCard = (card: Card, host: HostParts): FindingsByDetector =>
  collect(OF_CARD, (detect) => detect(card, host))

/** The findings of all parts of a host, cards in their order, most urgent first. */
export const orderFindings = (all: readonly FindingsByDetector[]): LocatedFinding[] => {
  const parts = all.filter((part) => part.size > 0)
  if (parts.length === 0) return []
  return DETECTORS.flatMap((_, place) =>
    parts.flatMap((part) => part.get(place) ?? []).slice(0, MOST_FINDINGS),
  ).toSorted((a, b) => compareSeverity(a.severity, b.severity))
}
