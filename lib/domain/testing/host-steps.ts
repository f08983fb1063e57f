import fc from 'fast-check'
import type { GpuDevice, Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { autostart, buildGuest, buildMdev, novaConf, uuidOf } from './build-inventory'

/** What chooses within a step. */
type Choice = { n: number; m: number; isOdd: boolean }

type Step = (inventory: Inventory, choice: Choice) => Inventory

const at = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % Math.max(1, items.length)]

const changed = <Item>(items: readonly Item[], n: number, change: (item: Item) => Item): Item[] =>
  items.map((item, place) => (place === n % items.length ? change(item) : item))

const inserted = <Item>(items: readonly Item[], n: number, item: Item): Item[] => [
  ...items.slice(0, n % (items.length + 1)),
  item,
  ...items.slice(n % (items.length + 1)),
]

const without = <Item>(items: readonly Item[], n: number): Item[] =>
  items.filter((_, place) => place !== n % items.length)

const toEnd = <Item>(items: readonly Item[], n: number): Item[] => {
  const moved = at(items, n)
  return moved === undefined ? [...items] : [...without(items, n), moved]
}

const guests =
  (change: (guests: Guest[], choice: Choice, inventory: Inventory) => Guest[]): Step =>
  (inventory, choice) => ({
    ...inventory,
    guests: inventory.guests && change(inventory.guests, choice, inventory),
  })

const mdevs =
  (change: (mdevs: Mdev[], choice: Choice, inventory: Inventory) => Mdev[]): Step =>
  (inventory, choice) => ({
    ...inventory,
    mdevs: inventory.mdevs && change(inventory.mdevs, choice, inventory),
  })

const gpus =
  (change: (gpu: GpuDevice, choice: Choice) => GpuDevice): Step =>
  (inventory, choice) => ({
    ...inventory,
    gpus: changed(inventory.gpus, choice.n, (gpu) => change(gpu, choice)),
  })

const functionsOf = ({ gpus }: Inventory): string[] =>
  gpus.flatMap(({ address, virtualFunctions }) => [address, ...virtualFunctions.map((vf) => vf.address)])

const newGuest = ({ n, m, isOdd }: Choice, inventory: Inventory): Guest => {
  const mdev = at(inventory.mdevs ?? [], m)?.uuid ?? uuidOf(m)
  const address = at(inventory.gpus, m)?.address ?? '0000:01:00.0'
  const device = at(functionsOf(inventory), n) ?? address
  return buildGuest({
    uuid: uuidOf(0x9000 + n),
    name: `instance-${n}`,
    state: isOdd ? 'running' : 'shutoff',
    mdevs: n % 3 === 0 ? [] : [mdev],
    pciDevices: n % 3 === 1 ? [] : [m % 2 === 0 ? device : address],
  })
}

const newMdev = ({ n, m, isOdd }: Choice, inventory: Inventory): Mdev => {
  const parent = at([...functionsOf(inventory), '0000:ff:00.0'], m) ?? ''
  const typeId = at(inventory.vgpuTypes, n)?.typeId ?? 'nvidia-319'
  const named = (inventory.guests ?? []).flatMap((guest) => guest.mdevs)
  const uuid = (isOdd ? at(named, n)?.uuid : null) ?? uuidOf(0x7000 + n)
  return n % 4 === 0
    ? buildMdev({
        uuid,
        parent,
        typeId: null,
        isActive: false,
        definition: autostart({ uuid, parent, typeId }),
      })
    : buildMdev({ uuid, parent, typeId })
}

const otherRoom = (types: GpuDevice['mdevTypes'], { n, m }: Choice): GpuDevice['mdevTypes'] =>
  types && changed(types, n, ([type, room]) => [type, m % 3 === 0 ? null : room === m % 5 ? 0 : m % 5])

const STEPS: readonly Step[] = [
  guests((all, { n }) => without(all, n)),
  guests((all, { n }) => toEnd(all, n)),
  guests((all, choice, inventory) => inserted(all, choice.m, newGuest(choice, inventory))),
  guests((all, { n, isOdd }) =>
    changed(all, n, (guest) => ({ ...guest, state: isOdd ? 'running' : 'shutoff', livePath: null })),
  ),
  guests((all, { n, m }) => changed(all, n, (guest) => ({ ...guest, mdevs: at(all, m)?.mdevs ?? [] }))),
  mdevs((all, { n }) => without(all, n)),
  mdevs((all, { n }) => toEnd(all, n)),
  mdevs((all, choice, inventory) => inserted(all, choice.m, newMdev(choice, inventory))),
  mdevs((all, { n, isOdd }) => changed(all, n, (mdev) => ({ ...mdev, isActive: isOdd }))),
  mdevs((all, { n, m }, inventory) =>
    changed(all, n, (mdev) => ({ ...mdev, parent: at(functionsOf(inventory), m) ?? mdev.parent })),
  ),
  mdevs((all, { n, m }, { vgpuTypes }) =>
    changed(all, n, (mdev) => ({ ...mdev, typeId: at(vgpuTypes, m)?.typeId ?? null })),
  ),
  gpus((gpu, choice) => ({ ...gpu, mdevTypes: otherRoom(gpu.mdevTypes, choice) })),
  gpus((gpu, choice) => ({
    ...gpu,
    virtualFunctions: changed(gpu.virtualFunctions, choice.m, (vf) => ({
      ...vf,
      mdevTypes: otherRoom(vf.mdevTypes, choice),
    })),
  })),
  gpus((gpu, { m, isOdd }) => ({
    ...gpu,
    virtualFunctions: changed(gpu.virtualFunctions, m, (vf) => ({
      ...vf,
      vendorVfio: vf.vendorVfio && {
        currentType: isOdd ? 1154 : m % 3 === 0 ? 1155 : 0,
        creatable: m % 2 === 0 ? [] : ['1154  : NVIDIA L40S-16Q', '1155  : NVIDIA L40S-24Q'],
      },
    })),
  })),
  gpus((gpu, { m }) => ({ ...gpu, driver: at(['nvidia', 'vfio-pci', null], m) ?? null })),
  gpus((gpu, { isOdd }) => ({ ...gpu, sriov: gpu.sriov && { totalVfs: 16, enabledVfs: isOdd ? 0 : 16 } })),
  gpus((gpu, { m }) => ({ ...gpu, numaNode: m % 4, modelName: m % 3 === 0 ? null : gpu.modelName })),
  gpus((gpu, { m, isOdd }) => ({
    ...gpu,
    virtualFunctions: isOdd ? without(gpu.virtualFunctions, m) : toEnd(gpu.virtualFunctions, m),
  })),
  (inventory, { n, isOdd }) => ({
    ...inventory,
    gpus: isOdd ? without(inventory.gpus, n) : toEnd(inventory.gpus, n),
  }),
  (inventory, { n, m }) => {
    const address = at(functionsOf(inventory), n) ?? '0000:01:00.0'
    const entry = {
      address,
      name: m % 2 === 0 ? `Tesla ${m}` : null,
      uuid: null,
      framebufferMib: m * 1024,
      migMode: at(['enabled', 'disabled', null] as const, m) ?? null,
      heterogeneousMode: null,
      vgpus: (inventory.guests ?? []).slice(0, m % 4).map((guest) => ({
        vgpuId: '1',
        guestUuid: guest.uuid,
        guestName: guest.name,
        typeName: 'NVIDIA L40S-16Q',
        mdevUuid: null,
        licenseStatus: null,
      })),
    }
    const { driverVersion, gpus } = inventory.nvidiaSmi ?? { driverVersion: '550', gpus: [] }
    const others = m % 5 === 0 ? gpus : gpus.filter((gpu) => gpu.address !== address)
    return { ...inventory, nvidiaSmi: { driverVersion, gpus: inserted(others, n, entry) } }
  },
  (inventory, { n }) => ({
    ...inventory,
    nvidiaSmi: inventory.nvidiaSmi && { ...inventory.nvidiaSmi, gpus: without(inventory.nvidiaSmi.gpus, n) },
  }),
  (inventory, { m }) => {
    const problem = at(
      [
        { source: '/etc/nova/nova.conf', code: 'permission' as const, message: 'not allowed' },
        { source: '/etc/mdevctl.d', code: 'permission' as const, message: 'not allowed' },
        { source: '/etc/libvirt/qemu', code: 'io' as const, message: 'broken' },
      ],
      m,
    )
    return { ...inventory, problems: problem === undefined || m % 2 === 0 ? [] : [problem] }
  },
  (inventory, { m }) => ({
    ...inventory,
    host: { ...inventory.host, novaApi: novaConf(`pci_alias = {"name": "${m}"}`) },
  }),
  (inventory, { n, m }) => {
    const address = at(functionsOf(inventory), n) ?? ''
    const type = at(inventory.vgpuTypes, m)?.typeId ?? 'nvidia-319'
    const text = `[devices]\nenabled_mdev_types = ${type}\n[mdev_${type}]\ndevice_addresses = ${address}\nmax_instances = ${m}`
    return { ...inventory, novaConfig: m % 4 === 0 ? null : novaConf(text) }
  },
  (inventory, { m, isOdd }) => ({
    ...inventory,
    vgpuTypes: changed(inventory.vgpuTypes, m, (type) => ({
      ...type,
      description: isOdd ? null : type.description,
    })),
  }),
  (inventory, { isOdd }) =>
    isOdd ? { ...inventory, guests: inventory.guests ?? [] } : { ...inventory, guests: null },
  (inventory, { isOdd }) =>
    isOdd ? { ...inventory, mdevs: inventory.mdevs ?? [] } : { ...inventory, mdevs: null },
]

const step = fc.tuple(
  // Most of what changes on a host is the first: guests, mdevs and room.
  fc.oneof({ weight: 4, arbitrary: fc.nat(13) }, { weight: 1, arbitrary: fc.nat(STEPS.length - 1) }),
  fc.record({ n: fc.nat(40), m: fc.nat(40), isOdd: fc.boolean() }),
)

/** A host and what becomes of it: entries that change, come, go and move, all others staying the same objects. */
export const hostSteps = (hosts: fc.Arbitrary<Inventory>): fc.Arbitrary<Inventory[]> =>
  fc
    .tuple(hosts, fc.array(fc.array(step, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 12 }))
    .map(([first, changes]) => {
      const inventories = [first]
      for (const steps of changes) {
        let next = inventories.at(-1) ?? first
        for (const [kind, choice] of steps) next = STEPS[kind]?.(next, choice) ?? next
        inventories.push(next)
      }
      return inventories
    })
