import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { type FlavorView, gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { prepareHosts } from '@/lib/domain/fit/prepare-hosts'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import { allSteps } from '@/lib/util/all-steps'
import type { Finding, Unverified } from '../finding'
import { agentOutdated } from './agent-outdated'
import { aggregateNotMirrored } from './aggregate-not-mirrored'
import { aliasDiffers } from './alias-differs'
import { aliasNotOnApi } from './alias-not-on-api'
import { aliasWithoutDevice } from './alias-without-device'
import { allocationDiffers } from './allocation-differs'
import { allocationWithoutGuest } from './allocation-without-guest'
import { allocationWithoutServer } from './allocation-without-server'
import { cardWithoutFramework } from './card-without-framework'
import { clockOff } from './clock-off'
import {
  type Detected,
  type FlavorDetector,
  type FleetDetector,
  isUnverified,
  type JoinedHostDetector,
} from './detector'
import { deviceLeftSpec } from './device-left-spec'
import { deviceWaitsForCleaning } from './device-waits-for-cleaning'
import { deviceWithoutAlias } from './device-without-alias'
import { devicesOfCyborg } from './devices-of-cyborg'
import { enrollmentWaiting } from './enrollment-waiting'
import { flavorClassWithoutDevice } from './flavor-class-without-device'
import { flavorClassWithoutInventory } from './flavor-class-without-inventory'
import { flavorFirstVgpuOnly } from './flavor-first-vgpu-only'
import { flavorGroupPolicyMissing } from './flavor-group-policy-missing'
import { flavorLandsNowhere } from './flavor-lands-nowhere'
import { flavorNeedsFilter } from './flavor-needs-filter'
import { flavorTraitSuffix } from './flavor-trait-suffix'
import { flavorTraitUnknown } from './flavor-trait-unknown'
import { flavorValueIgnored } from './flavor-value-ignored'
import { flavorValueRefused } from './flavor-value-refused'
import { guestsStayOff } from './guests-stay-off'
import { hostFindings } from './host-findings'
import { hostGap } from './host-gaps'
import { hostNotJoined } from './host-not-joined'
import { hostSilent } from './host-silent'
import { inventoryReserved } from './inventory-reserved'
import { lastGpuTight } from './last-gpu-tight'
import { limitClassNotRegistered } from './limit-class-not-registered'
import { limitMinusOne } from './limit-minus-one'
import { limitModelNotFlat } from './limit-model-not-flat'
import { limitRegionNull } from './limit-region-null'
import { limitSumOverCapacity } from './limit-sum-over-capacity'
import { managedTraitRemoved } from './managed-trait-removed'
import { multiCreateFails } from './multi-create-fails'
import { networkAgentMissing } from './network-agent-missing'
import { noLiveMigrationTarget } from './no-live-migration-target'
import { novaComputeDown } from './nova-compute-down'
import { pgpuWithoutProvider } from './pgpu-without-provider'
import { placementClassOld } from './placement-class-old'
import { placementOverPromises } from './placement-over-promises'
import { placementTotalOld } from './placement-total-old'
import { postCopyWithVgpus } from './post-copy-with-vgpus'
import { providerWithoutDevice } from './provider-without-device'
import { providerWithoutOwner } from './provider-without-owner'
import { rebootLosesServers } from './reboot-loses-servers'
import { restartWouldFail } from './restart-would-fail'
import { serverWithoutAllocation } from './server-without-allocation'
import { traitLost } from './trait-lost'
import { traitNamesOtherType } from './trait-names-other-type'
import { typesNotDistinguished } from './types-not-distinguished'
import { vfsWithoutType } from './vfs-without-type'
import { vgpusStranded } from './vgpus-stranded'
import { wideProviderTree } from './wide-provider-tree'

const HOST_DETECTORS: readonly JoinedHostDetector[] = [
  placementTotalOld,
  placementOverPromises,
  providerWithoutDevice,
  pgpuWithoutProvider,
  vfsWithoutType,
  restartWouldFail,
  placementClassOld,
  allocationWithoutServer,
  allocationWithoutGuest,
  allocationDiffers,
  serverWithoutAllocation,
  traitNamesOtherType,
  traitLost,
  managedTraitRemoved,
  cardWithoutFramework,
  rebootLosesServers,
  guestsStayOff,
  postCopyWithVgpus,
  deviceLeftSpec,
  deviceWaitsForCleaning,
  inventoryReserved,
  vgpusStranded,
  lastGpuTight,
]

const FLEET_DETECTORS: readonly (FleetDetector | FlavorDetector)[] = [
  aliasNotOnApi,
  deviceWithoutAlias,
  aliasWithoutDevice,
  aliasDiffers,
  typesNotDistinguished,
  flavorValueIgnored,
  flavorValueRefused,
  flavorGroupPolicyMissing,
  flavorFirstVgpuOnly,
  flavorClassWithoutInventory,
  flavorClassWithoutDevice,
  flavorTraitUnknown,
  flavorTraitSuffix,
  flavorLandsNowhere,
  multiCreateFails,
  limitClassNotRegistered,
  limitRegionNull,
  limitMinusOne,
  limitModelNotFlat,
  limitSumOverCapacity,
  noLiveMigrationTarget,
  wideProviderTree,
  flavorNeedsFilter,
  devicesOfCyborg,
  providerWithoutOwner,
  novaComputeDown,
  networkAgentMissing,
  hostSilent,
  enrollmentWaiting,
  clockOff,
  agentOutdated,
  hostNotJoined,
  aggregateNotMirrored,
]

/** Every finding that needs facts of the cloud, by code. */
export const CLOUD_FINDINGS: Readonly<Record<string, { title: string }>> = Object.fromEntries(
  [...HOST_DETECTORS, ...FLEET_DETECTORS].map(({ code, title }) => [code, { title }]),
)

/** The findings, most urgent first, and the detectors that could not decide. */
export type DetectedFindings = { findings: readonly Finding[]; unverified: readonly Unverified[] }

/** What docs/findings.md lists of each finding that needs facts of the cloud. */
export const CLOUD_REFERENCES: readonly (JoinedHostDetector | FleetDetector | FlavorDetector)[] = [
  ...HOST_DETECTORS,
  ...FLEET_DETECTORS,
]

const partGap = (fleet: Fleet, { needs }: Pick<FleetDetector, 'needs'>): string | null =>
  needs.map((part) => cloudGap(fleet.input, part)).find((gap) => gap !== null) ?? null

const runOnHost = (detector: JoinedHostDetector, joined: JoinedHost, fleet: Fleet): Detected[] => {
  if (joined.pgpus.length === 0 && joined.strays.length === 0) return []
  const gap = hostGap(joined, detector.hostNeeds)
  if (gap === null) return detector.detect(joined, fleet)
  return [{ code: detector.code, scope: { kind: 'host', host: joined.host.name }, because: gap }]
}

type Detection = Generator<void, Detected[]>

/** Yields between the subjects of a detector, which are many. */
function* runOnEach<Subject>(
  { code, needs }: Pick<FleetDetector, 'code' | 'needs'>,
  {
    fleet,
    subjects,
    detect,
  }: { fleet: Fleet; subjects: () => Iterable<Subject>; detect: (subject: Subject) => Detected[] },
): Detection {
  const gap = partGap(fleet, { needs })
  if (gap !== null) return [{ code, scope: { kind: 'cloud' }, because: gap }]
  const detected: Detected[] = []
  for (const subject of subjects()) {
    detected.push(...detect(subject))
    yield
  }
  return detected
}

function* runAll(fleet: Fleet): Detection {
  yield* prepareHosts(fleet)
  const detected: Detected[] = []
  for (const detector of HOST_DETECTORS) {
    const detect = (joined: JoinedHost) => runOnHost(detector, joined, fleet)
    detected.push(...(yield* runOnEach(detector, { fleet, subjects: () => fleet.hosts, detect })))
  }
  for (const detector of FLEET_DETECTORS)
    if ('detect' in detector) {
      const { detect } = detector
      detected.push(...(yield* runOnEach(detector, { fleet, subjects: () => [fleet], detect })))
    } else {
      const detect = (view: FlavorView) => detector.detectFlavor(view, fleet)
      detected.push(...(yield* runOnEach(detector, { fleet, subjects: () => gpuFlavors(fleet), detect })))
    }
  return detected
}

/** `detectCloudFindings` in steps: between two of them other work can run. */
export function* detectInSteps(fleet: Fleet): Generator<void, DetectedFindings> {
  const detected = yield* runAll(fleet)
  const found = detected.filter((entry): entry is Finding => !isUnverified(entry))
  const ofHosts = yield* hostFindings(fleet, found)
  return {
    findings: [...found, ...ofHosts.findings].toSorted((a, b) => compareSeverity(a.severity, b.severity)),
    unverified: [...detected.filter(isUnverified), ...ofHosts.unverified],
  }
}

/**
 * Everything that is wrong with a cloud, its hosts' own findings included. Where evidence is missing or old a detector returns
 * the reason why it cannot tell. Pure: equal facts give equal findings.
 */
export const detectCloudFindings = (fleet: Fleet): DetectedFindings => allSteps(detectInSteps(fleet))
