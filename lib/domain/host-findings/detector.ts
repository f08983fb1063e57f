import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { Occupancy } from '@/lib/domain/pgpu/occupants'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Severity } from '@/lib/schemas/severity'

/** What detectors of one card use in addition to the card. */
export type HostParts = {
  inventory: Inventory
  /** Null also when only a part of nova.conf could be read: a detector must not judge by half of it. */
  nova: NovaView | null
  /** Releases that the cloud's Nova may be; null: not known. */
  range: NovaRange | null
  /** Why nova.conf is not known whole; null when it is. */
  novaGap: string | null
  occupancy: Occupancy
}

/** What detectors of a host use. */
export type HostFacts = HostParts & {
  cards: readonly Card[]
  /** The card that each function (the card's own address, and its VFs) belongs to. */
  owners: ReadonlyMap<string, Card>
}

/** A finding and the pGPU it is about; null when it is about the host. */
export type LocatedFinding = HostFinding & { pgpuAddress: string | null }

/** Pure: equal facts give equal findings. Missing evidence gives none. */
export type Detector = (host: HostFacts) => readonly LocatedFinding[]

/** The same of one card. */
export type CardDetector = (card: Card, host: HostParts) => readonly LocatedFinding[]

/** What docs/findings.md lists about each finding in addition to its texts. */
export type FindingReference = {
  /** Every severity that the finding can have, the most urgent first. */
  severities: readonly Severity[]
  /** One sentence: the sources that are read or compared, and the condition. */
  detection: string
}

/** What is shown of each finding with a code, in addition to the sentence and the detail of the single one. */
export type FindingText = FindingReference & {
  /** Names the problem, as the heading of a group. */
  title: string
  consequence: string
  nextStep: string
  source: 'hardware' | 'nova.conf' | 'libvirt' | 'agent'
  /** No source has to be corrected: it is a risk, or a gap of the report. */
  isRisk?: boolean
}

/** A detector with the texts of its findings, by code. */
export type HostDetector = { findings: Readonly<Record<string, FindingText>>; detect: Detector }

export const NO_START = 'nova-compute does not start again with this nova.conf.'
export const UNKNOWN = 'Numbers and findings that depend on it are unknown.'

export const onEachCard =
  (detect: CardDetector): Detector =>
  (host) =>
    host.cards.flatMap((card) => detect(card, host))

/** What a detector of a card returns for most cards. */
export const NOTHING: readonly LocatedFinding[] = []

export const isMdevCard = ({ pgpu }: Card): boolean =>
  pgpu.framework === 'mdev' || pgpu.framework === 'mdev-sriov'

/** Short name of a type as a card's driver words it, else its id. */
export const typeLabel = (card: Card, typeId: string): string => offeredTypeName(card.pgpu, typeId) ?? typeId

/** The same of several, each once. */
export const typeLabels = (card: Card, typeIds: readonly (string | null | undefined)[]): string =>
  listText([...new Set(typeIds.map((typeId) => typeLabel(card, typeId ?? '')))])

/** What nova.conf sets as the type of a card, as the end of a sentence that begins with it. */
export const configuredText = (card: Card): string => {
  const wanted = card.pgpu.configuredType?.typeId
  return wanted === undefined ? 'names no type' : `names ${typeLabel(card, wanted)}`
}
