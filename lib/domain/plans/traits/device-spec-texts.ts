import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { pciLayoutNow } from '@/lib/domain/cloud/pci-layout'
import { otherTypeTraits } from '@/lib/domain/cloud/read-taggable'
import { DEFAULT_TRAIT_RULE, traitOfType } from '@/lib/domain/cloud/type-traits'
import type { PciFunction } from '@/lib/domain/nova-config/device-spec'
import { type TaggedLine, tagDeviceSpecs } from '@/lib/domain/nova-config/layout/device-spec-traits'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import { malformedReason } from '../malformed/malformed'
import { malformedPci } from '../malformed/malformed-config'
import type { ChangeTarget } from '../step'

/** The lines of nova.conf that add traits to a pGPU of PCI in Placement. */
export type DeviceSpecTraits = {
  host: string
  address: string
  providers: string[]
  trait: string
  lines: Pick<TaggedLine, 'source' | 'before' | 'after'>[]
  /** What to check, one sentence each. */
  notes: string[]
  /** Why no line can be named; null when some are. */
  problem: string | null
}

const functionsOf = ({ address, vendorId, deviceId, virtualFunctions }: Pgpu): PciFunction[] => [
  { address, parentAddress: null, vendorId, deviceId },
  ...virtualFunctions.map((vf) => ({ address: vf.address, parentAddress: address, vendorId, deviceId })),
]

/** A card in passthrough has no vGPU type, so its model is used. */
const typeOf = ({ currentType, model }: Pgpu) =>
  currentType ?? { typeId: model, name: model, shortName: model }

const NOTES = [
  'Replace the line in its file. device_spec can occur several times, so a drop-in adds a line and changes none.',
  'nova-compute reads it at its start, and sets these traits at every update. Traits that are set through the API are removed again.',
]

const notesOf = (joined: JoinedHost, pgpu: Pgpu, lines: readonly TaggedLine[], trait: string): string[] => {
  const sources = new Set(lines.map(({ source }) => source))
  const config = joined.host.inventory.novaConfig
  const shared = joined.pgpus
    .filter((other) => other.pgpu.address !== pgpu.address && config !== null)
    .filter((other) =>
      (config === null
        ? []
        : tagDeviceSpecs(config, { functions: functionsOf(other.pgpu), on: [], off: [] })
      ).some(({ source }) => sources.has(source)),
    )
    .map((other) => other.pgpu.address)
  return [
    ...NOTES,
    ...(pgpu.virtualFunctions.length === 0
      ? []
      : ['VFs of one card need the same traits, or nova-compute does not start.']),
    ...(shared.length === 0
      ? []
      : [
          `The line also matches ${listText(shared, 8)}, which get ${trait} as well. Split it by address if they have another type.`,
        ]),
  ]
}

const describeOne = (
  joined: JoinedHost,
  { entry, rule }: { entry: JoinedPgpu; rule: string | null },
): DeviceSpecTraits => {
  const { pgpu, providers } = entry
  const trait = traitOfType(rule ?? DEFAULT_TRAIT_RULE, { type: typeOf(pgpu), vendorId: pgpu.vendorId })
  const known = pgpu.supportedTypes?.find(({ typeId }) => typeId === pgpu.currentType?.typeId)
  const off =
    known === undefined ? [] : otherTypeTraits(entry, { rule: rule ?? DEFAULT_TRAIT_RULE, type: known })
  const config = joined.host.inventory.novaConfig
  const pci = pciLayoutNow(joined)
  const malformed = pci === null ? null : malformedPci(joined, pci)
  const lines =
    config === null || malformed !== null
      ? []
      : tagDeviceSpecs(config, { functions: functionsOf(pgpu), on: [trait], off })
  return {
    host: joined.host.name,
    address: pgpu.address,
    providers: providers.map(({ provider }) => provider.name),
    trait,
    lines: lines.map(({ source, before, after }) => ({ source, before, after })),
    notes: lines.length === 0 ? [] : notesOf(joined, pgpu, lines, trait),
    problem:
      config === null
        ? 'nova.conf of the host could not be read, so its line is unknown.'
        : malformed !== null
          ? `${malformedReason(malformed)}.`
          : lines.length === 0
            ? 'No device_spec of nova.conf matches this card, although Placement has a provider for it.'
            : null,
  }
}

/** For each wanted pGPU of a host whose providers are made by PCI in Placement. */
export const describeDeviceSpecs = (
  joined: JoinedHost,
  { gpus, rule }: { gpus: readonly ChangeTarget[]; rule: string | null },
): DeviceSpecTraits[] =>
  joined.pgpus
    .filter(({ providers }) => providers.some(({ kind }) => kind === 'pci'))
    .filter(({ pgpu }) =>
      gpus.some(({ host, address }) => host === joined.host.name && address === pgpu.address),
    )
    .map((entry) => describeOne(joined, { entry, rule }))
