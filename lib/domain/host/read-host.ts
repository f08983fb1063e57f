import type { Card } from '@/lib/domain/findings/detector'
import { describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding, Pgpu } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory } from '@/lib/schemas/agent/inventory'
import { concernOf } from './concern'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import { readBasis } from './host-basis'
import { type HostChange, hostChange } from './host-change'
import { type HostFindings, readFindings } from './host-findings'
import { indexAfter, readIndex } from './host-index'
import type { HostReading, Since } from './host-reading'

type Parts = Pick<HostReading, 'inventory' | 'basis' | 'index'>

/** Null: the host is to be read whole. */
const readSince = ({ basis, index }: Parts, last: HostReading, change: HostChange): Since | null => {
  if (basis !== last.basis || !index.isPlain || !last.index.isPlain) return null
  const cards = last.cards.map(({ facts }) => facts.gpu)
  return { last, change, concern: concernOf({ change, before: last.index, after: index, cards }) }
}

type CardContext = { hasRawFacts: boolean; last: Pgpu | null }

const readCard = (gpu: GpuDevice, { inventory, basis, index }: Parts, context: CardContext): Card => {
  const { typeBook, nova } = basis
  const all = readPgpuFacts({ gpu, inventory, typeBook, nova, occupancy: index.occupancy })
  const { units, types, mdevs, assigned, vgpus } = all
  return {
    facts: { gpu, typeBook, units, types, mdevs, assigned, vgpus },
    pgpu: describePgpu(all, context),
  }
}

const readCards = (parts: Parts, since: Since | null, hasRawFacts: boolean): readonly Card[] => {
  if (since?.concern.cards.size === 0) return since.last.cards
  const gpus = parts.inventory.gpus.filter(isGpu)
  return gpus.map((gpu, place) => {
    const before = since?.last.cards[place]
    const known = since?.concern.cards.has(place) === false ? before : undefined
    return known ?? readCard(gpu, parts, { hasRawFacts, last: before?.pgpu ?? null })
  })
}

const areSameFindings = (a: readonly HostFinding[], b: readonly HostFinding[]): boolean =>
  a.length === b.length &&
  a.every((finding, place) => {
    const other = b[place]
    return (
      finding.code === other?.code &&
      finding.severity === other.severity &&
      finding.sentence === other.sentence &&
      finding.detail === other.detail
    )
  })

/** Each card with its findings: the object of last time when neither has changed. */
const describeCards = (cards: readonly Card[], { byPlace }: HostFindings, since: Since | null): Pgpu[] => {
  const last = since?.last
  if (last !== undefined && cards === last.cards && byPlace === last.findings.byPlace)
    return last.description.pgpus
  return cards.map(({ pgpu }, place) => {
    const known = pgpu === last?.cards[place]?.pgpu ? last.description.pgpus[place] : undefined
    if (known !== undefined && byPlace === last?.findings.byPlace) return known
    const findings = byPlace.get(pgpu.address) ?? []
    if (known !== undefined && areSameFindings(known.findings, findings)) return known
    return findings.length === 0 ? pgpu : { ...pgpu, findings }
  })
}

const NONE: HostFinding[] = []

/** Reads an inventory, whole or by what differs from the last one. */
export const readHost = (
  inventory: Inventory,
  { last, hasRawFacts }: { last: HostReading | null; hasRawFacts: boolean },
): HostReading => {
  const change = last === null ? null : hostChange(last.inventory, inventory)
  const index =
    last === null || change === null ? readIndex(inventory) : indexAfter(last.index, { inventory, change })
  const { occupancy } = index
  const basis = readBasis(inventory, occupancy, last?.basis ?? null)
  const parts = { inventory, basis, index }
  const since = last === null || change === null ? null : readSince(parts, last, change)
  const cards = readCards(parts, since, hasRawFacts)
  const novaGap = basis.nova === null ? 'nova.conf could not be read' : basis.nova.gap
  const nova = novaGap === null ? basis.nova : null
  const findings = readFindings(
    { inventory, nova, novaGap, occupancy, cards: [...cards], index },
    since && { ...since.last, ...since },
  )
  const description = {
    pgpus: describeCards(cards, findings, since),
    mdevs: describeMdevs({ ...parts, cards, since }),
    guests: describeGuests({ ...parts, since }),
    guestGap: occupancy.gap,
    findings: findings.byPlace.get(null) ?? NONE,
    novaOptions: basis.novaOptions,
  }
  return { ...parts, cards, findings, description }
}
