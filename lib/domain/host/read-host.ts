import { describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { type Card, readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding, Pgpu } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { concernOf } from './concern'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import { readBasis } from './host-basis'
import { type HostChange, hostChange } from './host-change'
import { type HostFindings, readFindings } from './host-findings'
import { moveIndex, readIndex } from './host-index'
import type { HostReading, Since } from './host-reading'

type Parts = Pick<HostReading, 'inventory' | 'basis' | 'index'>

/** `change`: null when the host is read whole. `wasPlain`: whether each thing stood once before too. */
type Moved = Pick<HostReading, 'index'> & { change: HostChange | null; wasPlain: boolean }

/** The index of an inventory: that of the last one, moved on, where the host has the same devices. */
const moveOn = (inventory: Inventory, last: HostReading | null): Moved => {
  const change = last === null ? null : hostChange(last.inventory, inventory)
  if (last === null || change === null) return { index: readIndex(inventory), change: null, wasPlain: false }
  const { index } = last
  const wasPlain = index.isPlain
  moveIndex(index, { inventory, change })
  return { index, change, wasPlain }
}

/** Null: the host is to be read whole. */
const readSince = (
  { basis, index }: Parts,
  last: HostReading | null,
  { change, wasPlain }: Moved,
): Since | null => {
  if (last === null || change === null) return null
  if (basis !== last.basis || !index.isPlain || !wasPlain) return null
  return { last, change, concern: concernOf({ change, index, cards: last.cards }) }
}

const mdevsOn = ({ address, virtualFunctions }: GpuDevice, mdevs: readonly Mdev[] | null): Mdev[] | null => {
  if (virtualFunctions.length === 0) return mdevs?.filter(({ parent }) => parent === address) ?? null
  const own = new Set([address, ...virtualFunctions.map((vf) => vf.address)])
  return mdevs?.filter(({ parent }) => own.has(parent)) ?? null
}

type CardContext = { hasDetails: boolean; last: Card | null; mdevs: readonly Mdev[] | null }

const readCard = (
  gpu: GpuDevice,
  { inventory, basis, index }: Parts,
  { hasDetails, last, mdevs }: CardContext,
): Card => {
  const { typeBook, nova } = basis
  const { occupancy } = index
  const all = readPgpuFacts({ gpu, inventory, typeBook, nova, occupancy, mdevs, last: last?.facts ?? null })
  const { smi, framework, units, parents, types, assigned, vgpus, sizes } = all
  return {
    facts: { gpu, typeBook, smi, framework, units, parents, types, mdevs, assigned, vgpus, sizes },
    pgpu: describePgpu(all, { hasDetails, last }),
  }
}

const readCards = (parts: Parts, hasDetails: boolean): Card[] => {
  const { gpus, mdevs } = parts.inventory
  return gpus
    .filter(isGpu)
    .map((gpu) => readCard(gpu, parts, { hasDetails, last: null, mdevs: mdevsOn(gpu, mdevs) }))
}

/** Which devices are pGPUs has not changed with the layout, so their places stand. */
const readCardsSince = (parts: Parts, { last, change, concern }: Since): readonly Card[] => {
  if (concern.cards.length === 0) return last.cards
  const { gpus, mdevs } = parts.inventory
  const changed = change.gpus.length === 0 ? null : gpus.filter(isGpu)
  const cards = [...last.cards]
  for (const place of concern.cards) {
    const before = last.cards[place]
    const gpu = changed === null ? before?.facts.gpu : changed[place]
    if (before === undefined || gpu === undefined) continue
    const own = change.mdevs.sources === null ? before.facts.mdevs : mdevsOn(gpu, mdevs)
    cards[place] = readCard(gpu, parts, { hasDetails: false, last: before, mdevs: own })
  }
  return cards
}

const NONE: HostFinding[] = []

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

const withFindings = (pgpu: Pgpu, { byPlace }: HostFindings): Pgpu => {
  const findings = byPlace.get(pgpu.address)
  return findings === undefined ? pgpu : { ...pgpu, findings }
}

/** Each card with its findings: the object of last time when neither has changed. */
const describeCards = (cards: readonly Card[], findings: HostFindings, since: Since | null): Pgpu[] => {
  const last = since?.last
  if (last === undefined) return cards.map(({ pgpu }) => withFindings(pgpu, findings))
  const before = last.description.pgpus
  if (findings.byPlace === last.findings.byPlace) {
    if (cards === last.cards) return before
    const pgpus = [...before]
    for (const place of since?.concern.cards ?? []) {
      const card = cards[place]
      if (card !== undefined) pgpus[place] = withFindings(card.pgpu, findings)
    }
    return pgpus
  }
  return cards.map(({ pgpu }, place) => {
    const known = pgpu === last.cards[place]?.pgpu ? before[place] : undefined
    const own = findings.byPlace.get(pgpu.address) ?? NONE
    return known !== undefined && areSameFindings(known.findings, own) ? known : withFindings(pgpu, findings)
  })
}

/**
 * Reads an inventory, whole or by what differs from the last one. The index of `last` moves on to it, so that `last` can be
 * used once, and not at all after an error.
 */
export const readHost = (
  inventory: Inventory,
  { last, hasDetails }: { last: HostReading | null; hasDetails: boolean },
): HostReading => {
  const moved = moveOn(inventory, last)
  const { index } = moved
  const { occupancy } = index
  const basis = readBasis(inventory, occupancy, last?.basis ?? null)
  const parts = { inventory, basis, index }
  const since = readSince(parts, last, moved)
  const cards = since === null ? readCards(parts, hasDetails) : readCardsSince(parts, since)
  const novaGap = basis.nova === null ? 'nova.conf could not be read' : basis.nova.gap
  const nova = novaGap === null ? basis.nova : null
  const findings = readFindings({ host: { inventory, nova, novaGap, occupancy }, cards, index }, since)
  const description = {
    pgpus: describeCards(cards, findings, since),
    mdevs: describeMdevs({ inventory, index, cards }, since),
    guests: describeGuests(parts, since),
    guestGap: occupancy.gap,
    findings: findings.byPlace.get(null) ?? NONE,
    novaOptions: basis.novaOptions,
  }
  return { inventory, basis, index, cards, findings, description }
}
