import { addressDuplicate } from './address-duplicate'
import { addressFormat } from './address-format'
import { addressNotAParent } from './address-not-a-parent'
import { addressWithoutDevice } from './address-without-device'
import { aliasInvalid } from './alias-invalid'
import { claimedTwice } from './claimed-twice'
import type { FindingText, HostDetector, HostFacts, LocatedFinding } from './detector'
import { deviceSpecMalformed } from './device-spec-malformed'
import { doubleClaims } from './double-claims'
import { driverProblem } from './driver-problem'
import { guestMdevs } from './guest-mdevs'
import { guestsOutsideLibvirt } from './guests-outside-libvirt'
import { iommuGroupNotIsolated } from './iommu-group-not-isolated'
import { iommuOff } from './iommu-off'
import { maxInstances } from './max-instances'
import { mdevClassWithoutAddresses } from './mdev-class-without-addresses'
import { mdevGroupNotEnabled } from './mdev-group-not-enabled'
import { mdevOptionsIgnored } from './mdev-options-ignored'
import { mdevWithoutType } from './mdev-without-type'
import { mixedTypes } from './mixed-types'
import { noTypeConfigured } from './no-type-configured'
import { oldOptionNames } from './old-option-names'
import { optionInvalid } from './option-invalid'
import { orphanMdevs } from './orphan-mdevs'
import { otherAccelerators } from './other-accelerators'
import { otherMdevParents } from './other-mdev-parents'
import { passthroughDriver } from './passthrough-driver'
import { pciOptionMisplaced } from './pci-option-misplaced'
import { returningMdevs } from './returning-mdevs'
import { scanProblems } from './scan-problems'
import { secondDefaultDropped } from './second-default-dropped'
import { compareSeverity } from './severity'
import { sriovOverPromise } from './sriov-over-promise'
import { tooFewVfsListed } from './too-few-vfs-listed'
import { typeNotSupported } from './type-not-supported'
import { unknownOptions } from './unknown-options'
import { unreadSources } from './unread-sources'
import { usedTypeNotConfigured } from './used-type-not-configured'
import { vendorVfioNotListed } from './vendor-vfio-not-listed'
import { vfsNotEnabled } from './vfs-not-enabled'
import { vfsPartlyEnabled } from './vfs-partly-enabled'

/** All detectors; within a severity their findings keep this order. */
export const HOST_DETECTORS: readonly HostDetector[] = [
  addressDuplicate,
  addressFormat,
  optionInvalid,
  deviceSpecMalformed,
  aliasInvalid,
  mdevClassWithoutAddresses,
  typeNotSupported,
  doubleClaims,
  driverProblem,
  guestMdevs,
  guestsOutsideLibvirt,
  orphanMdevs,
  usedTypeNotConfigured,
  returningMdevs,
  sriovOverPromise,
  maxInstances,
  tooFewVfsListed,
  vfsNotEnabled,
  vfsPartlyEnabled,
  addressNotAParent,
  addressWithoutDevice,
  secondDefaultDropped,
  mdevOptionsIgnored,
  mdevGroupNotEnabled,
  claimedTwice,
  passthroughDriver,
  iommuOff,
  iommuGroupNotIsolated,
  vendorVfioNotListed,
  mdevWithoutType,
  unreadSources,
  scanProblems,
  noTypeConfigured,
  otherMdevParents,
  otherAccelerators,
  mixedTypes,
  pciOptionMisplaced,
  unknownOptions,
  oldOptionNames,
]

/** The texts of every finding that the host's own facts can give, by code. */
export const HOST_FINDINGS: Readonly<Record<string, FindingText>> = Object.fromEntries(
  HOST_DETECTORS.flatMap(({ findings }) => Object.entries(findings)),
)

/** Of one detector: more say no more, and a report that is odd on purpose must not fill the tables. */
const MAX_FINDINGS = 256

/** Everything that the detectors find on a host, most urgent first. Pure. */
export const detectOnHost = (host: HostFacts): LocatedFinding[] =>
  HOST_DETECTORS.flatMap(({ detect }) => detect(host).slice(0, MAX_FINDINGS)).toSorted((a, b) =>
    compareSeverity(a.severity, b.severity),
  )
