import type { Card } from '@/lib/domain/findings/detector'
import type { FindingsByDetector, RecallFindings } from '@/lib/domain/findings/registry'
import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { runningVendorTypes, sistersOf } from '@/lib/domain/pgpu/card-types'
import { describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding, Pgpu, TypeFacts } from '@/lib/domain/pgpu/types'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice, Guest, Inventory, Mdev, NovaConfig, VgpuType } from '@/lib/schemas/agent/inventory'
import { type NovaView, readNovaView } from './nova-view'
import type { Occupancy } from './occupants'
import type { DescribedGuest, DescribedMdev, DescribedNovaOption } from './types'

/** The mdevs of a host by their parent and by their uuid. */
type MdevGroups = {
  byParent: ReadonlyMap<string, readonly Mdev[]>
  /** Null: the mdevs could not be read. */
  mdevOf: ReadonlyMap<string, Mdev> | null
}

/** The pGPUs in the report's order, and for each function its type and the place of its card. */
export type CardPlaces = {
  addresses: string[]
  placeOf: ReadonlyMap<string, number>
  /** The vGPU types of VFs that run one by vendor VFIO. */
  typeOf: ReadonlyMap<string, string>
}

type Remembered<Value> = { inputs: readonly unknown[]; value: Value }
type Memory<Key extends object, Value> = WeakMap<Key, Remembered<Value>>

/**
 * What was read from parts of earlier inventories. A part counts as unchanged when it is the very same object, so it helps
 * whoever keeps the unchanged parts of a host's last inventory; it holds nothing longer than the parts live.
 */
export type HostMemory = {
  novaViews: Memory<NovaConfig, NovaView | null>
  novaOptions: Memory<NovaConfig, DescribedNovaOption[]>
  typeBooks: Memory<readonly VgpuType[], readonly TypeFacts[]>
  /** Without raw facts and findings. */
  cards: Memory<GpuDevice, Card>
  places: Memory<readonly GpuDevice[], CardPlaces>
  mdevGroups: Memory<readonly Mdev[], MdevGroups>
  /** By the card without findings. */
  described: WeakMap<Pgpu, Pgpu>
  /** By the card without findings. */
  cardFindings: WeakMap<Pgpu, FindingsByDetector>
  configFindings: Memory<NovaConfig, FindingsByDetector>
  mdevs: Memory<Mdev, DescribedMdev>
  guests: Memory<Guest, DescribedGuest>
}

export const createHostMemory = (): HostMemory => ({
  novaViews: new WeakMap(),
  novaOptions: new WeakMap(),
  typeBooks: new WeakMap(),
  cards: new WeakMap(),
  places: new WeakMap(),
  mdevGroups: new WeakMap(),
  described: new WeakMap(),
  cardFindings: new WeakMap(),
  configFindings: new WeakMap(),
  mdevs: new WeakMap(),
  guests: new WeakMap(),
})

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((input, place) => input === b[place])

/** The remembered value when all inputs are the same objects, else a new one. */
export const recall = <Key extends object, Value>({
  memory,
  key,
  inputs,
  read,
}: {
  memory: Memory<Key, Value> | undefined
  key: Key
  inputs: readonly unknown[]
  read: () => Value
}): Value => {
  const remembered = memory?.get(key)
  if (remembered !== undefined && isSame(remembered.inputs, inputs)) return remembered.value
  const value = read()
  memory?.set(key, { inputs, value })
  return value
}

export const recallNovaView = (inventory: Inventory, memory: HostMemory | undefined): NovaView | null =>
  inventory.novaConfig === null
    ? null
    : recall({
        memory: memory?.novaViews,
        key: inventory.novaConfig,
        inputs: [inventory.problems],
        read: () => readNovaView(inventory),
      })

export const recallNovaOptions = (
  { novaConfig }: Inventory,
  memory: HostMemory | undefined,
): DescribedNovaOption[] | null =>
  novaConfig === null
    ? null
    : recall({
        memory: memory?.novaOptions,
        key: novaConfig,
        inputs: [],
        read: () => describeNovaOptions(novaConfig),
      })

export const recallTypeBook = (
  { vgpuTypes }: Inventory,
  memory: HostMemory | undefined,
): readonly TypeFacts[] =>
  recall({
    memory: memory?.typeBooks,
    key: vgpuTypes,
    inputs: [],
    read: () => vgpuTypes.map(readTypeFacts),
  })

type CardContext = {
  gpu: GpuDevice
  inventory: Inventory
  typeBook: readonly TypeFacts[]
  nova: NovaView | null
  occupancy: Occupancy
  mdevsOf: MdevGroups['byParent']
}

/**
 * All that the reading of one card looks at: readPgpuFacts and describePgpu without raw facts. A part that is missing here
 * would make a changed host look unchanged; the property test beside this file holds both readings against each other.
 */
const cardInputs = ({ gpu, inventory, typeBook, nova, occupancy, mdevsOf }: CardContext): unknown[] => {
  const inputs: unknown[] = [
    typeBook,
    nova,
    inventory.problems,
    inventory.nvidiaSmi?.gpus.find((entry) => entry.address === gpu.address),
    inventory.mdevs === null,
    occupancy.gap,
    occupancy.isUnreadable,
  ]
  for (const { address } of [gpu, ...gpu.virtualFunctions]) {
    inputs.push(address, ...(occupancy.byPciAddress.get(address) ?? []))
    for (const mdev of mdevsOf.get(address) ?? [])
      inputs.push(mdev, ...(occupancy.byMdev.get(mdev.uuid) ?? []))
  }
  // Running types of a vendor-VFIO card are named by other cards of its model.
  if (runningVendorTypes(gpu).size > 0) inputs.push(...sistersOf(gpu, inventory.gpus))
  return inputs
}

const readMdevGroups = (mdevs: readonly Mdev[]): MdevGroups => {
  const byParent = new Map<string, Mdev[]>()
  const mdevOf = new Map<string, Mdev>()
  for (const mdev of mdevs) {
    mdevOf.set(mdev.uuid, mdev)
    const group = byParent.get(mdev.parent)
    if (group === undefined) byParent.set(mdev.parent, [mdev])
    else group.push(mdev)
  }
  return { byParent, mdevOf }
}

const UNREAD_MDEVS: MdevGroups = { byParent: new Map(), mdevOf: null }

export const recallMdevGroups = ({ mdevs }: Inventory, memory: HostMemory | undefined): MdevGroups =>
  mdevs === null
    ? UNREAD_MDEVS
    : recall({ memory: memory?.mdevGroups, key: mdevs, inputs: [], read: () => readMdevGroups(mdevs) })

const readPlaces = (gpus: readonly GpuDevice[]): CardPlaces => {
  const cards = gpus.filter(isGpu)
  const placeOf = new Map<string, number>()
  const typeOf = new Map<string, string>()
  for (const [place, gpu] of cards.entries()) {
    for (const { address } of [gpu, ...gpu.virtualFunctions]) placeOf.set(address, place)
    for (const { address, vendorVfio } of gpu.virtualFunctions) {
      const running = vendorVfio?.currentType ?? 0
      if (running > 0) typeOf.set(address, vendorTypeId(running))
    }
  }
  return { addresses: cards.map((gpu) => gpu.address), placeOf, typeOf }
}

export const recallPlaces = ({ gpus }: Inventory, memory: HostMemory | undefined): CardPlaces =>
  recall({ memory: memory?.places, key: gpus, inputs: [], read: () => readPlaces(gpus) })

const readCard = (context: CardContext, hasRawFacts: boolean): Card => {
  const facts = readPgpuFacts(context)
  return { facts, pgpu: describePgpu(facts, hasRawFacts) }
}

/** A card as it was read before, or anew. The memory keeps cards without raw facts only. */
export const recallCard = (
  context: CardContext,
  { memory, hasRawFacts }: { memory: HostMemory | undefined; hasRawFacts: boolean },
): Card => {
  if (memory === undefined || hasRawFacts) return readCard(context, hasRawFacts)
  return recall({
    memory: memory.cards,
    key: context.gpu,
    inputs: cardInputs(context),
    read: () => readCard(context, false),
  })
}

/** Findings of parts that are the same objects as before. A card stands for all that its reading looks at. */
export const recallFindings = (memory: HostMemory): RecallFindings => ({
  card: ({ pgpu }, detect) => {
    const known = memory.cardFindings.get(pgpu)
    if (known !== undefined) return known
    const found = detect()
    memory.cardFindings.set(pgpu, found)
    return found
  },
  config: ({ inventory, nova }, detect) =>
    inventory.novaConfig === null
      ? detect()
      : recall({
          memory: memory.configFindings,
          key: inventory.novaConfig,
          inputs: [nova, inventory.problems, inventory.host],
          read: detect,
        }),
})

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

/** A card with its findings; the object of last time when neither has changed. */
export const recallDescribed = (
  pgpu: Pgpu,
  findings: HostFinding[],
  memory: HostMemory | undefined,
): Pgpu => {
  const last = memory?.described.get(pgpu)
  if (last !== undefined && areSameFindings(last.findings, findings)) return last
  const described = { ...pgpu, findings }
  memory?.described.set(pgpu, described)
  return described
}
