import { readMigrationOptions } from '@/lib/domain/nova-config/migration-options'
import { isOptionOn } from '@/lib/domain/nova-config/option-value'
import { strictBool } from '@/lib/domain/nova-config/python-values'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { naturalOrder } from '@/lib/util/natural-order'
import { advertisedOf } from './advertised'
import { closedBecause } from './closed-because'
import type { Fleet, JoinedHost, JoinedPgpu } from './fleet-types'
import { freeByHardware } from './free-by-hardware'
import { branchCautions, excludedPairReasons, type RuleFacts, ruleFacts } from './migration-rules'
import { minimumProblems } from './minimum-versions'
import { listedVfs } from './vf-promise'
import { type VgpuAction, vgpuAction } from './vgpu-actions'

/** Where a migration is blocked: at one end, between the two, or by the release of Nova. */
type MigrationLocation = 'nova' | 'source' | 'destination' | 'pair'

/**
 * What blocks a live migration. `because` of an end follows the host's name: `has no free vGPU of the type`. `isLasting`:
 * the host must be changed first; waiting does not help.
 */
export type MigrationBlocker = {
  at: MigrationLocation
  because: string
  isLasting: boolean
  isUnknown: boolean
}

/** What Nova or NVIDIA advise against, without forbidding it. */
export type MigrationCaution = Pick<MigrationBlocker, 'at' | 'because'>

type Reason = Omit<MigrationBlocker, 'at'>

const lasting = (because: string): Reason => ({ because, isLasting: true, isUnknown: false })
const passing = (because: string): Reason => ({ because, isLasting: false, isUnknown: false })
const unknownReason = (because: string): Reason => ({ because, isLasting: true, isUnknown: true })

const at = (location: MigrationLocation, reasons: readonly Reason[]): MigrationBlocker[] =>
  reasons.map((reason) => ({ at: location, ...reason }))

/** The pGPUs of a host that carry a type: it is configured for them, or vGPUs of it exist. */
export const pgpusOfType = ({ pgpus }: JoinedHost, typeId: string): JoinedPgpu[] =>
  pgpus.filter(({ pgpu }) => (pgpu.currentType?.typeId ?? pgpu.configuredType?.typeId) === typeId)

export const POST_COPY = { section: 'libvirt', name: 'live_migration_permit_post_copy' }

const versionReasons = ({ host }: JoinedHost): Reason[] =>
  minimumProblems('mdevLiveMigration', host.inventory.host).map(({ because, isUnknown }) =>
    isUnknown ? unknownReason(because) : lasting(because),
  )

/** Vendor VFIO: Nova moves only VFs that device_spec marks (nova/conf/pci.py). */
const deviceSpecReasons = (joined: JoinedHost, cards: readonly JoinedPgpu[]): Reason[] => {
  if (joined.nova === null) return [unknownReason('has a nova.conf that could not be read')]
  const named = cards.flatMap(({ pgpu }) => listedVfs(joined, pgpu))
  if (named.length === 0) return [lasting('assigns none of these VFs: no [pci] device_spec matches them')]
  return named.some(({ spec }) => strictBool(spec.live_migratable ?? false) === true)
    ? []
    : [lasting('does not mark its VFs live_migratable in [pci] device_spec')]
}

const isVendorVfio = (cards: readonly JoinedPgpu[]): boolean =>
  cards.some(({ pgpu }) => pgpu.framework === 'vendor-vfio')

const endReasons = (joined: JoinedHost, typeId: string): Reason[] => {
  if (joined.host.isSilent) return [unknownReason('is silent: its current state is unknown')]
  const cards = pgpusOfType(joined, typeId)
  const config = joined.host.inventory.novaConfig
  return [
    ...versionReasons(joined),
    ...(config !== null && isOptionOn(config, POST_COPY)
      ? [lasting('has live_migration_permit_post_copy enabled, which does not work with vGPUs')]
      : []),
    ...(isVendorVfio(cards) ? deviceSpecReasons(joined, cards) : []),
  ]
}

/** What keeps one end from any live migration of vGPUs of a type. */
export const endBlockers = (
  joined: JoinedHost,
  { typeId, location }: { typeId: string; location: 'source' | 'destination' },
): MigrationBlocker[] => at(location, endReasons(joined, typeId))

/** Whether Nova live-migrates vGPUs of a type. If hosts offer it both as mdevs and as VFs, the rule for mdevs counts. */
export const liveMigrationSupport = (
  { input }: Fleet,
  hosts: readonly JoinedHost[],
  typeId: string,
): VgpuAction => {
  const isVfio = hosts.length > 0 && hosts.every((joined) => isVendorVfio(pgpusOfType(joined, typeId)))
  return vgpuAction(isVfio ? 'vfioLiveMigration' : 'liveMigration', input.facts.versions)
}

/** What the release of Nova blocks. */
export const releaseBlockers = (
  fleet: Fleet,
  hosts: readonly JoinedHost[],
  typeId: string,
): MigrationBlocker[] => {
  const { state, sentence } = liveMigrationSupport(fleet, hosts, typeId)
  if (state === 'supported') return []
  const because = sentence.replace(/\.$/, '')
  return at('nova', [state === 'unknown' ? unknownReason(because) : lasting(because)])
}

/** Differences between two ends that last. */
export const driverBlockers = (from: string | null, to: string | null): MigrationBlocker[] => {
  if (from === null || to === null) return at('pair', [unknownReason('a driver version is unknown')])
  return from === to
    ? []
    : at('pair', [lasting(`the drivers differ: ${[from, to].toSorted(naturalOrder).join(' and ')}`)])
}

/** Pairs that NVIDIA excludes. */
export const pairBlockers = (from: RuleFacts, to: RuleFacts): MigrationBlocker[] =>
  at('pair', excludedPairReasons(from, to).map(lasting))

/** What NVIDIA's rules compare of the cards that carry a type. */
export const ruleFactsOf = (joined: JoinedHost, typeId: string): RuleFacts =>
  ruleFacts(
    joined.host.inventory.host,
    pgpusOfType(joined, typeId).map(({ pgpu }) => pgpu),
  )

/** Free vGPUs of a type on a host, by the hardware and Placement together. */
export const freeOfType = (fleet: Fleet, joined: JoinedHost, typeId: string): Known => {
  let free = 0
  for (const entry of pgpusOfType(joined, typeId)) {
    const [hardware, placement] = [freeByHardware(entry), advertisedOf(fleet, joined, entry).free]
    if (hardware.value === null) return unknown(hardware.reason)
    if (placement.value === null) return unknown(placement.reason)
    free += Math.min(hardware.value, placement.value)
  }
  return known(free)
}

/** What keeps vGPUs of a type from a destination now. */
export const headroomBlockers = (fleet: Fleet, joined: JoinedHost, typeId: string): MigrationBlocker[] => {
  if (joined.host.isSilent) return []
  const cards = pgpusOfType(joined, typeId)
  const isConfigured = isVendorVfio(cards) || cards.some(({ pgpu }) => pgpu.configuredType?.typeId === typeId)
  if (!isConfigured) return at('destination', [lasting('no longer names the type in nova.conf')])
  const closed = closedBecause(joined)
  const free = freeOfType(fleet, joined, typeId)
  return at('destination', [
    ...(closed === null ? [] : [passing(`accepts no servers: ${closed}`)]),
    ...(free.value === null
      ? [unknownReason(`has an unknown number of free vGPUs: ${free.reason}`)]
      : free.value === 0
        ? [passing('has no free vGPU of the type')]
        : []),
  ])
}

/** Settings of a source with which vGPUs hardly finish their migration. */
const settingCautions = ({ host }: JoinedHost): string[] =>
  host.inventory.novaConfig === null
    ? []
    : readMigrationOptions(host.inventory.novaConfig).flatMap(
        ({ name, value, option, advised, isAdvised }) =>
          value === null || isAdvised(value)
            ? []
            : [`has ${name} ${value}${option === null ? ' (default)' : ''}; ${advised} is recommended`],
      )

/** What is advised against at one end. */
export const endCautions = (joined: JoinedHost, location: 'source' | 'destination'): MigrationCaution[] => {
  const types = joined.nova?.mdev.types.length ?? 0
  const own =
    location === 'source'
      ? settingCautions(joined)
      : types > 1
        ? [`has ${types} types: the flavor must request this one by trait or class`]
        : []
  return [...branchCautions(joined.host.inventory.host), ...own].map((because) => ({ at: location, because }))
}
