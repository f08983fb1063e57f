import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import { deviceTypes, otherTypeTraits } from '@/lib/domain/cloud/read-taggable'
import { DEFAULT_TRAIT_RULE, traitOfType } from '@/lib/domain/cloud/type-traits'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import type { ConfigText } from '@/lib/domain/nova-config/layout/config-text'
import {
  checkProviderTraits,
  PROVIDER_CONFIG_FOLDER,
  providerConfigText,
} from '@/lib/domain/nova-config/layout/provider-config'
import { releaseOfRange } from '@/lib/domain/nova-config/nova-releases'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import type { ProviderTraits } from '@/lib/schemas/agent/provider-config'
import { malformedReason } from '../malformed/malformed'
import { malformedFolder } from '../malformed/malformed-config'
import type { ChangeTarget } from '../step'
import { type DeviceSpecTraits, describeDeviceSpecs } from './device-spec-texts'

/** What keeps traits without the console: files for nova-compute of each host. */
export type TraitTexts = {
  /**
   * Provider config of hosts with mdevs; `problem` has the reason why nova-compute would not accept it, `unwritten` why
   * the plan has no step for it although it was requested.
   */
  files: { host: string; text: ConfigText | null; problem: string | null; unwritten?: string }[]
  /** pGPUs whose providers come from PCI in Placement. */
  deviceSpecs: DeviceSpecTraits[]
}

type Input = {
  gpus: readonly ChangeTarget[]
  rule: string | null
  /** Traits of providers once the plan is done, by uuid; the others keep theirs. */
  after: ReadonlyMap<string, readonly string[]>
}

/** What providers of one card and type are to carry: what one of them has, all have. */
const traitsOfType = (
  fleet: Fleet,
  {
    joined,
    entry,
    type,
    addresses,
  }: { joined: JoinedHost; entry: JoinedPgpu; type: SupportedType; addresses: string[] },
  { gpus, rule, after }: Input,
): string[] => {
  const isTarget = gpus.some(
    ({ host, address }) => host === joined.host.name && address === entry.pgpu.address,
  )
  const own = isTarget && rule !== null ? [traitOfType(rule, { type, vendorId: entry.pgpu.vendorId })] : []
  const present = entry.providers
    .filter(({ address }) => addresses.includes(address))
    .flatMap(({ provider }) => after.get(provider.uuid) ?? provider.traits ?? [])
  const managed = addresses
    .flatMap((address) => fleet.managedTraits.get(`${joined.host.name} ${address}`) ?? [])
    .filter(({ typeId }) => typeId === type.typeId)
    .map(({ trait }) => trait)
  const others = otherTypeTraits(entry, { rule: rule ?? DEFAULT_TRAIT_RULE, type })
  return [...new Set([...own, ...present, ...managed])].filter(
    (trait) => trait.startsWith('CUSTOM_') && !others.includes(trait),
  )
}

const entriesOf = (fleet: Fleet, joined: JoinedHost, input: Input): ProviderTraits[] =>
  joined.pgpus.flatMap((entry) => {
    const { types } = deviceTypes(joined, entry)
    const rootName = joined.root.value?.name
    if (types === null || rootName === undefined) return []
    const listed = (expectedParents(joined, entry.pgpu.address) ?? []).map(({ address }) => address)
    return [...new Set([...types.values()])].flatMap((type) => {
      const addresses = listed.filter((address) => types.get(address)?.typeId === type.typeId)
      const traits = traitsOfType(fleet, { joined, entry, type, addresses }, input)
      return addresses.map((address) => ({
        provider: mdevProviderName({ hypervisorHostname: rootName, address }),
        traits,
      }))
    })
  })

const folderOf = ({ host }: JoinedHost): string => {
  const config = host.inventory.novaConfig
  const set = (config === null ? [] : effectiveOptions(config)).find(
    ({ present, isEffective }) =>
      isEffective && present.section === 'compute' && present.name === 'provider_config_location',
  )
  return set?.option.value.trim() || PROVIDER_CONFIG_FOLDER
}

const malformedFolderProblem = (joined: JoinedHost): string | null => {
  const found = malformedFolder(joined, folderOf(joined))
  return found === null ? null : `${malformedReason(found)}.`
}

/** A file with its entries. */
type EntriesFile = TraitTexts['files'][number] & { entries: ProviderTraits[] }

const fileOf = (fleet: Fleet, joined: JoinedHost, input: Input): EntriesFile[] => {
  const host = joined.host.name
  const entries = entriesOf(fleet, joined, input).filter(({ traits }) => traits.length > 0)
  if (entries.length === 0) return []
  const release = releaseOfRange(hostRange(fleet, joined))
  const problem =
    release === null
      ? 'Nova has not reported its version, and not every release reads provider config. Wait for the next reading round.'
      : (malformedFolderProblem(joined) ?? checkProviderTraits(entries, release)[0] ?? null)
  const isKolla = joined.host.inventory.novaConfig?.deployment === 'kolla'
  const text =
    problem === null ? providerConfigText(host, entries, { folder: folderOf(joined), isKolla }) : null
  return [{ host, text, problem, entries }]
}

export type DescribedTexts = { files: EntriesFile[]; deviceSpecs: DeviceSpecTraits[] }

/** The other ways to keep the traits of a plan, for each of its hosts. A step per host. */
export function* describeTraitTexts(fleet: Fleet, input: Input): Generator<void, DescribedTexts> {
  const names = new Set(input.gpus.map(({ host }) => host))
  const texts: DescribedTexts = { files: [], deviceSpecs: [] }
  for (const joined of fleet.hosts) {
    if (!names.has(joined.host.name)) continue
    texts.files.push(...fileOf(fleet, joined, input))
    texts.deviceSpecs.push(...describeDeviceSpecs(joined, input))
    yield
  }
  return texts
}
