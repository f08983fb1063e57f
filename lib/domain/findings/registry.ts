import { addressDuplicate } from './address-duplicate'
import { addressFormat } from './address-format'
import { addressNotAParent } from './address-not-a-parent'
import { claimedTwice } from './claimed-twice'
import type { Detector, HostFacts, LocatedFinding } from './detector'
import { deviceSpecMalformed } from './device-spec-malformed'
import { doubleClaims } from './double-claims'
import { guestNamesMissingMdev } from './guest-names-missing-mdev'
import { maxInstances } from './max-instances'
import { mdevClassWithoutAddresses } from './mdev-class-without-addresses'
import { mdevWithoutType } from './mdev-without-type'
import { mixedTypes } from './mixed-types'
import { noTypeConfigured } from './no-type-configured'
import { oldOptionNames } from './old-option-names'
import { optionInvalid } from './option-invalid'
import { orphanMdevs } from './orphan-mdevs'
import { passthroughDriver } from './passthrough-driver'
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

/** All detectors; within a severity their findings keep this order. */
const DETECTORS: readonly Detector[] = [
  addressDuplicate,
  addressFormat,
  optionInvalid,
  deviceSpecMalformed,
  mdevClassWithoutAddresses,
  typeNotSupported,
  doubleClaims,
  guestNamesMissingMdev,
  orphanMdevs,
  usedTypeNotConfigured,
  returningMdevs,
  sriovOverPromise,
  maxInstances,
  tooFewVfsListed,
  vfsNotEnabled,
  addressNotAParent,
  secondDefaultDropped,
  claimedTwice,
  passthroughDriver,
  vendorVfioNotListed,
  mdevWithoutType,
  unreadSources,
  scanProblems,
  noTypeConfigured,
  mixedTypes,
  oldOptionNames,
]

/** Of one detector: more say no more, and a report that is odd on purpose must not fill the tables. */
const MOST_FINDINGS = 256

/** Every finding of a host, most urgent first. */
export const detectFindings = (host: HostFacts): LocatedFinding[] =>
  DETECTORS.flatMap((detect) => detect(host).slice(0, MOST_FINDINGS)).toSorted((a, b) =>
    compareSeverity(a.severity, b.severity),
  )
