import { addressDuplicate } from './address-duplicate'
import { addressFormat } from './address-format'
import { addressNotAParent } from './address-not-a-parent'
import { addressWithoutDevice } from './address-without-device'
import { claimedTwice } from './claimed-twice'
import type { Detector, HostFacts, LocatedFinding } from './detector'
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
export type Scope = 'card' | 'config' | 'layout' | 'claims' | 'cards'

/** All detectors; within a severity their findings keep this order. */
const DETECTORS: readonly (readonly [scope: Scope, detect: Detector])[] = [
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
const detectorsOf = (scope: Scope): { detect: Detector; place: number }[] =>
  DETECTORS.flatMap(([own, detect], place) => (own === scope ? [{ detect, place }] : []))

const IN_SCOPE: { readonly [Name in Scope]: ReturnType<typeof detectorsOf> } = {
  card: detectorsOf('card'),
  config: detectorsOf('config'),
  layout: detectorsOf('layout'),
  claims: detectorsOf('claims'),
  cards: detectorsOf('cards'),
}

/** Of one detector: more say no more, and a report that is odd on purpose must not fill the tables. */
const MOST_FINDINGS = 256

/** Findings by the place of their detector in the registry. */
export type FindingsByDetector = ReadonlyMap<number, LocatedFinding[]>

export const NO_FINDINGS: FindingsByDetector = new Map()

/** What the detectors of a scope find; NO_FINDINGS itself when that is nothing. */
export const detectWithin = (scope: Scope, host: HostFacts): FindingsByDetector => {
  let found: Map<number, LocatedFinding[]> | null = null
  for (const { detect, place } of IN_SCOPE[scope]) {
    const findings = detect(host)
    if (findings.length === 0) continue
    found ??= new Map()
    found.set(place, findings)
  }
  return found ?? NO_FINDINGS
}

/** The findings of all parts of a host, cards in their order, most urgent first. */
export const orderFindings = (all: readonly FindingsByDetector[]): LocatedFinding[] => {
  const parts = all.filter((part) => part.size > 0)
  if (parts.length === 0) return []
  return DETECTORS.flatMap((_, place) =>
    parts.flatMap((part) => part.get(place) ?? []).slice(0, MOST_FINDINGS),
  ).toSorted((a, b) => compareSeverity(a.severity, b.severity))
}
