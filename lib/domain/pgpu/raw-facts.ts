import { optionSource, splitList } from '@/lib/domain/nova-config/effective-options'
import { namesCard } from '@/lib/domain/nova-config/listed-functions'
import { presentOption } from '@/lib/domain/nova-config/option-names'
import { publishedType } from '@/lib/domain/vgpu-type/published-types'
import type { Guest, NovaOption } from '@/lib/schemas/agent/inventory'
import type { CardType } from './card-types'
import { configuredType, currentType } from './current-type'
import { cardOf } from './model-names'
import type { PgpuFacts } from './pgpu-facts'
import type { RawFact } from './types'

type Labelled = [label: string, value: string | number | null, source: string]

const isVirtual = (facts: PgpuFacts): boolean => facts.gpu.classCode === null && facts.gpu.vendorId === null

const devicePath = (facts: PgpuFacts): string =>
  isVirtual(facts) ? `/sys/class/mdev_bus/${facts.gpu.address}` : `/sys/bus/pci/devices/${facts.gpu.address}`

const pciFacts = (facts: PgpuFacts): Labelled[] => {
  if (isVirtual(facts)) return []
  const { gpu } = facts
  const path = devicePath(facts)
  const members = gpu.iommuGroupMembers.length === 0 ? '' : ` with ${gpu.iommuGroupMembers.join(', ')}`
  return [
    ['PCI id', gpu.vendorId === null ? null : `${gpu.vendorId}:${gpu.deviceId}`, `${path}/vendor, device`],
    [
      'PCI id of its VFs',
      gpu.vendorId === null || gpu.vfDeviceId == null ? null : `${gpu.vendorId}:${gpu.vfDeviceId}`,
      `${path}/virtfn0/vendor, device`,
    ],
    [
      'Subsystem',
      gpu.subsystemVendorId === null ? null : `${gpu.subsystemVendorId}:${gpu.subsystemDeviceId}`,
      `${path}/subsystem_vendor, subsystem_device`,
    ],
    ['Class', gpu.classCode === null ? null : `0x${gpu.classCode}`, `${path}/class`],
    ['Driver', gpu.driver ?? 'none', `${path}/driver`],
    ['NUMA node', gpu.numaNode, `${path}/numa_node`],
    ['IOMMU group', gpu.iommuGroup === null ? null : `${gpu.iommuGroup}${members}`, `${path}/iommu_group`],
    ['VFs possible', gpu.sriov?.totalVfs ?? null, `${path}/sriov_totalvfs`],
    ['VFs enabled', gpu.sriov?.enabledVfs ?? null, `${path}/sriov_numvfs`],
    ['Model by the driver', gpu.modelName, `/proc/driver/nvidia/gpus/${gpu.address}/information`],
  ]
}

const smiFacts = (facts: PgpuFacts): Labelled[] => {
  const { smi } = facts
  if (smi === null) return []
  return [
    ['Model by nvidia-smi', smi.name, 'nvidia-smi -q'],
    ['GPU UUID', smi.uuid, 'nvidia-smi -q'],
    ['Framebuffer', smi.framebufferMib === null ? null : `${smi.framebufferMib} MiB`, 'nvidia-smi -q'],
    ['MIG mode', smi.migMode, 'nvidia-smi -q'],
    ['Mixed sizes', smi.heterogeneousMode, 'nvidia-smi -q'],
    ...smi.vgpus.map(
      (vgpu): Labelled => [
        `vGPU ${vgpu.vgpuId}`,
        [vgpu.typeName, vgpu.guestName, vgpu.licenseStatus].filter((part) => part !== null).join(', '),
        'nvidia-smi vgpu -q',
      ],
    ),
  ]
}

/** `0 on 10, 1 on 22` of the functions that offer a type. */
const availabilityText = (values: (number | null)[]): string => {
  if (values.length === 1) return values[0] === null ? 'unreadable' : String(values[0])
  const counts = new Map<string, number>()
  for (const value of values) {
    const text = value === null ? 'unreadable' : String(value)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([value, count]) => `${value} on ${count}`)
    .join(', ')
}

/** Where the maximum of a vendor-VFIO type comes from: nvidia-smi, or the published table. */
const maximumFact = (
  card: PgpuFacts,
  { facts, reported }: CardType,
): { value: number; source: string } | null => {
  if (reported?.maxInstances != null) return { value: reported.maxInstances, source: 'nvidia-smi vgpu -s -v' }
  const published = publishedType(facts.shortName, cardOf(card))
  return published === null
    ? null
    : { value: published.maxPerGpu, source: `published table, not this host: ${published.source}` }
}

const typeFacts = (facts: PgpuFacts): Labelled[] => {
  const ids = new Set([currentType(facts)?.typeId, configuredType(facts)?.typeId])
  const isVendor = facts.framework === 'vendor-vfio'
  return (facts.types ?? [])
    .filter((type) => ids.has(type.facts.typeId))
    .flatMap((type): Labelled[] => {
      const reported = type.availability.map((entry) => entry.available)
      const silent = Math.max(0, facts.parents.length - reported.length - type.unreadCount)
      const values = [
        ...reported,
        ...Array<null>(type.unreadCount).fill(null),
        ...Array<number>(silent).fill(0),
      ]
      const parent = facts.parents.length === 1 ? facts.gpu.address : '<VF>'
      const folder = `/sys/class/mdev_bus/${parent}/mdev_supported_types/${type.facts.typeId}`
      const vendorFolder = `/sys/bus/pci/devices/${parent}/nvidia`
      const wording = facts.inventory.vgpuTypes.find((entry) => entry.typeId === type.facts.typeId)
      const max = isVendor ? maximumFact(facts, type) : null
      return [
        [
          `${type.facts.shortName} available`,
          availabilityText(values),
          isVendor ? `${vendorFolder}/creatable_vgpu_types` : `${folder}/available_instances`,
        ],
        [`${type.facts.shortName} description`, wording?.description ?? null, `${folder}/description`],
        [`${type.facts.shortName} maximum on one GPU`, max?.value ?? null, max?.source ?? ''],
      ]
    })
}

const mdevFacts = (facts: PgpuFacts): Labelled[] =>
  (facts.mdevs ?? []).flatMap((mdev): Labelled[] => [
    [
      `mdev ${mdev.uuid}`,
      mdev.isActive ? `${mdev.typeId ?? 'no readable type'} on ${mdev.parent}` : null,
      `/sys/bus/mdev/devices/${mdev.uuid}/mdev_type`,
    ],
    [
      `Definition of ${mdev.uuid}`,
      mdev.definition === null
        ? null
        : `${mdev.definition.typeId ?? 'no type'}, start ${mdev.definition.start}`,
      mdev.definition?.path ?? '',
    ],
  ])

const vendorFacts = (facts: PgpuFacts): Labelled[] =>
  [facts.gpu, ...facts.gpu.virtualFunctions]
    .filter((parent) => (parent.vendorVfio?.currentType ?? 0) > 0)
    .map((parent) => [
      `vGPU type of ${parent.address}`,
      parent.vendorVfio?.currentType ?? null,
      `/sys/bus/pci/devices/${parent.address}/nvidia/current_vgpu_type`,
    ])

const guestPaths = (guest: Guest): string =>
  [guest.livePath, guest.persistentPath].filter((path) => path !== null).join(', ')

const guestFacts = (facts: PgpuFacts): Labelled[] => {
  const functions = [facts.gpu.address, ...facts.gpu.virtualFunctions.map((vf) => vf.address)]
  const byMdev = (facts.mdevs ?? []).flatMap((mdev): Labelled[] =>
    (facts.occupancy.byMdev.get(mdev.uuid) ?? []).map((guest) => [
      `Guest ${guest.name} names mdev`,
      mdev.uuid,
      guestPaths(guest),
    ]),
  )
  const byAddress = functions.flatMap((address): Labelled[] =>
    (facts.occupancy.byPciAddress.get(address) ?? []).map((guest) => [
      `Guest ${guest.name} names PCI device`,
      address,
      guestPaths(guest),
    ]),
  )
  return [...byMdev, ...byAddress]
}

const isAbout = (facts: PgpuFacts, option: NovaOption): boolean => {
  const { section, name } = presentOption(option)
  const { value } = option
  if (section === 'pci' && name === 'device_spec')
    return (facts.nova?.deviceSpecs.specs ?? []).some(
      (spec) => spec.source === optionSource(option) && namesCard(spec, facts.gpu),
    )
  if (section === 'devices' && name === 'enabled_mdev_types') return facts.types !== null
  const assigned = [...(facts.assigned?.values() ?? [])].map((type) => `mdev_${type?.typeId}`.toLowerCase())
  if (assigned.includes(section)) return true
  const functions = [facts.gpu.address, ...facts.gpu.virtualFunctions.map((vf) => vf.address)]
  const listed = name === 'device_addresses' ? splitList(value.toLowerCase()) : []
  return listed.some((address) => functions.includes(address))
}

const novaFacts = (facts: PgpuFacts): Labelled[] =>
  (facts.inventory.novaConfig?.options ?? [])
    .filter((option) => isAbout(facts, option))
    .map((option) => [`[${option.section}] ${option.name}`, option.value, optionSource(option)])

/** The facts of a card, each with the file on the host (or the command) that it comes from. */
export const rawFacts = (facts: PgpuFacts): RawFact[] =>
  [pciFacts, smiFacts, typeFacts, vendorFacts, mdevFacts, guestFacts, novaFacts]
    .flatMap((read) => read(facts))
    .flatMap(([label, value, source]) => (value === null ? [] : [{ label, value: String(value), source }]))
