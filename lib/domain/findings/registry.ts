import { addressDuplicate } from './address-duplicate'
import { addressFormat } from './address-format'
import { addressNotAParent } from './address-not-a-parent'
import { addressWithoutDevice } from './address-without-device'
import { claimedTwice } from './claimed-twice'
import type { Card, Detector, HostFacts, LocatedFinding } from './detector'
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
 * What a detector looks at. `card`: one card and nova.conf. `config`: nova.conf, the scan's problems and
 * the inventory's `host`. `host`: anything. The property test of the host's memory holds it.
 */
type Scope = 'card' | 'config' | 'host'

/** All detectors; within a severity their findings keep this order. */
const DETECTORS: readonly (readonly [scope: Scope, detect: Detector])[] = [
  ['config', addressDuplicate],
  ['host', addressFormat],
  ['config', optionInvalid],
  ['config', deviceSpecMalformed],
  ['config', mdevClassWithoutAddresses],
  ['card', typeNotSupported],
  ['host', doubleClaims],
  ['host', guestNamesMissingMdev],
  ['card', orphanMdevs],
  ['card', usedTypeNotConfigured],
  ['card', returningMdevs],
  ['card', sriovOverPromise],
  ['host', maxInstances],
  ['card', tooFewVfsListed],
  ['card', vfsNotEnabled],
  ['host', addressNotAParent],
  ['host', addressWithoutDevice],
  ['config', secondDefaultDropped],
  ['host', mdevGroupNotEnabled],
  ['card', claimedTwice],
  ['card', passthroughDriver],
  ['host', iommuGroupNotIsolated],
  ['card', vendorVfioNotListed],
  ['card', mdevWithoutType],
  ['host', unreadSources],
  ['config', scanProblems],
  ['card', noTypeConfigured],
  ['card', mixedTypes],
  ['config', pciOptionMisplaced],
  ['config', oldOptionNames],
]

/** Of one detector: more say no more, and a report that is odd on purpose must not fill the tables. */
const MOST_FINDINGS = 256

/** Findings by the place of their detector in the registry. */
export type FindingsByDetector = ReadonlyMap<number, LocatedFinding[]>

/** How to come by the findings of a part: by `detect`, or from where they were kept. */
export type RecallFindings = {
  config: (host: HostFacts, detect: () => FindingsByDetector) => FindingsByDetector
  card: (card: Card, detect: () => FindingsByDetector) => FindingsByDetector
}

const NOTHING_KEPT: RecallFindings = { config: (_, detect) => detect(), card: (_, detect) => detect() }

const detectWithin = (scope: Scope, host: HostFacts): FindingsByDetector => {
  const found = new Map<number, LocatedFinding[]>()
  for (const [place, [own, detect]] of DETECTORS.entries()) {
    const findings = own === scope ? detect(host) : []
    if (findings.length > 0) found.set(place, findings)
  }
  return found
}

/** Every finding of a host, most urgent first. */
export const detectFindings = (host: HostFacts, recall: RecallFindings = NOTHING_KEPT): LocatedFinding[] => {
  const parts = [
    detectWithin('host', host),
    recall.config(host, () => detectWithin('config', host)),
    ...host.cards.map((card) => recall.card(card, () => detectWithin('card', { ...host, cards: [card] }))),
  ].filter((part) => part.size > 0)
  if (parts.length === 0) return []
  return DETECTORS.flatMap((_, place) =>
    parts.flatMap((part) => part.get(place) ?? []).slice(0, MOST_FINDINGS),
  ).toSorted((a, b) => compareSeverity(a.severity, b.severity))
}
