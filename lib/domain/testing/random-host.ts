import fc from 'fast-check'
import type { Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import {
  autostart,
  buildGuest,
  buildInventory,
  buildMdev,
  type CardSpec,
  novaConf,
  uuidOf,
} from './build-inventory'
import { offersOf, vfOf } from './offers'

const KINDS = ['T4', 'A40'] as const
type Kind = (typeof KINDS)[number]

/** Types that the generator makes: the first is the one that nova.conf names, the last is of another size. */
const MADE_TYPES: Record<Kind, readonly string[]> = {
  T4: ['nvidia-319', 'nvidia-232', 'nvidia-230'],
  A40: ['nvidia-560', 'nvidia-596', 'nvidia-562'],
}

const TYPES = new Map(
  KINDS.flatMap((kind) => offersOf(kind)).map((type) => [
    type.typeId,
    {
      size: Number(/framebuffer=(\d+)M/.exec(type.description ?? '')?.[1]),
      max: Number(/max_instance=(\d+)/.exec(type.description ?? '')?.[1]),
    },
  ]),
)
const sizeOf = (typeId: string): number => TYPES.get(typeId)?.size ?? 0
const maxOf = (typeId: string): number => TYPES.get(typeId)?.max ?? 0

const vgpuPlan = fc.record({
  typeIndex: fc.nat(2),
  holder: fc.constantFrom('none', 'running', 'shutoff', 'two'),
  isActive: fc.boolean(),
  isTypeReadable: fc.boolean(),
})
type VgpuPlan = typeof vgpuPlan extends fc.Arbitrary<infer Plan> ? Plan : never

const cardPlan = fc.record({
  kind: fc.constantFrom(...KINDS),
  vgpus: fc.array(vgpuPlan, { maxLength: 20 }),
})
type CardPlan = typeof cardPlan extends fc.Arbitrary<infer Plan> ? Plan : never

type MadeVgpu = VgpuPlan & { uuid: string; parent: string; typeId: string }
type MadeCard = { kind: Kind; address: string; vgpus: MadeVgpu[] }

const SLOTS: Record<Kind, number> = { T4: 20, A40: 32 }

/** Makes what a driver would make: one size on a card, no more than fit, one vGPU on a VF. */
const makeCard = ({ kind, vgpus }: CardPlan, index: number): MadeCard => {
  const address = `0000:${(0x20 + index).toString(16)}:00.0`
  const card: MadeCard = { kind, address, vgpus: [] }
  for (const plan of vgpus.slice(0, SLOTS[kind])) {
    const typeId = MADE_TYPES[kind][plan.typeIndex] ?? ''
    const active = card.vgpus.filter((vgpu) => vgpu.isActive)
    const [first] = active
    const fits =
      first === undefined || (sizeOf(first.typeId) === sizeOf(typeId) && active.length < maxOf(typeId))
    if (plan.isActive && !fits) continue
    const n = card.vgpus.length
    const parent = kind === 'A40' ? vfOf(address, n) : address
    card.vgpus.push({ ...plan, uuid: uuidOf(index * 64 + n + 1), parent, typeId })
  }
  return card
}

const toSpec = ({ kind, address, vgpus }: MadeCard): CardSpec => {
  const active = vgpus.filter((vgpu) => vgpu.isActive)
  const [first] = active
  const freeSlots = ({ typeId }: { typeId: string }): number =>
    first !== undefined && sizeOf(first.typeId) !== sizeOf(typeId)
      ? 0
      : Math.max(0, maxOf(typeId) - active.length)
  if (kind === 'T4') return { address, offers: offersOf('T4', freeSlots) }
  const taken = new Set(active.map((vgpu) => vgpu.parent))
  const functions = Array.from({ length: SLOTS.A40 }, (_, n) => vfOf(address, n)).map((vf) => ({
    address: vf,
    offers: offersOf('A40', (type) => (taken.has(vf) ? 0 : Math.min(1, freeSlots(type)))),
  }))
  return { address, deviceId: '2235', functions }
}

const toMdev = ({ uuid, parent, typeId, isActive, isTypeReadable }: MadeVgpu): Mdev =>
  buildMdev({
    uuid,
    parent,
    typeId: isActive && isTypeReadable ? typeId : null,
    isActive,
    definition: isActive ? null : autostart({ uuid, parent, typeId }),
  })

const HOLDERS: Record<VgpuPlan['holder'], number> = { none: 0, running: 1, shutoff: 1, two: 2 }

const toGuests = (vgpu: MadeVgpu, index: number): Guest[] =>
  Array.from({ length: HOLDERS[vgpu.holder] }, (_, n) =>
    buildGuest({
      uuid: uuidOf(0x1000 + index * 2 + n),
      name: `instance-${index}-${n}`,
      state: vgpu.holder === 'shutoff' ? 'shutoff' : 'running',
      mdevs: [vgpu.uuid],
    }),
  )

/** The T4's type is the default; the A40's lists every VF of every A40. */
const toNovaText = (cards: MadeCard[]): string => {
  const listed = cards.filter((card) => card.kind === 'A40').flatMap((card) => toSpec(card).functions ?? [])
  const group =
    listed.length === 0
      ? ''
      : `[mdev_nvidia-560]\ndevice_addresses = ${listed.map((vf) => vf.address).join(',')}`
  return `[devices]\nenabled_mdev_types = nvidia-319${listed.length === 0 ? '' : ',nvidia-560'}\n${group}`
}

type Gaps = { guests: boolean; mdevs: boolean; nova: boolean; guestFile: boolean }

const buildHost = (plans: CardPlan[], gaps: Gaps): Inventory => {
  const cards = plans.map(makeCard)
  const vgpus = cards.flatMap((card) => card.vgpus)
  return buildInventory({
    cards: cards.map(toSpec),
    mdevs: gaps.mdevs ? null : vgpus.map(toMdev),
    guests: gaps.guests ? null : vgpus.flatMap(toGuests),
    novaConfig: gaps.nova ? null : novaConf(toNovaText(cards)),
    problems: gaps.guestFile
      ? [{ source: '/etc/libvirt/qemu/unread.xml', code: 'malformed', message: 'half-written' }]
      : [],
  })
}

const cardPlans = fc.array(cardPlan, { minLength: 1, maxLength: 3 })
const gap = fc.nat(5).map((n) => n === 0)
const NO_GAPS: Gaps = { guests: false, mdevs: false, nova: false, guestFile: false }

/** Hosts of T4s and A40s that could be read and whose vGPUs are active and of the type that nova.conf names. */
export const healthyHost: fc.Arbitrary<{ inventory: Inventory }> = cardPlans.map((plans) => {
  const tidy = plans.map((plan) => ({
    ...plan,
    vgpus: plan.vgpus.map((vgpu) => ({ ...vgpu, typeIndex: 0, isActive: true, isTypeReadable: true })),
  }))
  return { inventory: buildHost(tidy, NO_GAPS) }
})

/** Healthy hosts, and hosts with orphans, definitions, unreadable types and every kind of gap. */
export const randomHost: fc.Arbitrary<{ inventory: Inventory }> = fc.oneof(
  healthyHost,
  fc
    .record({
      plans: cardPlans,
      gaps: fc.record({ guests: gap, mdevs: gap, nova: gap, guestFile: gap }),
    })
    .map(({ plans, gaps }) => ({ inventory: buildHost(plans, gaps) })),
)
