import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { DeviceHolder } from '@/lib/schemas/agent/inventory'
import { buildFlavor, inventoryOf, mdevProvider } from './build-cloud'
import { K40C_CONF, k40cCloud } from './k40c-cloud'

export const L40S = '0000:c8:00.0'
export const L40S_VFS = [4, 5, 6].map((n) => `0000:c8:00.${n}`)

/** `listed`: addresses that `device_spec` names one by one. */
const confOf = (listed: readonly string[], isInPlacement: boolean): string =>
  [
    K40C_CONF,
    '[pci]',
    ...(isInPlacement ? ['report_in_placement = True'] : []),
    ...listed.map(
      (address) =>
        `device_spec = {"vendor_id": "10de", "address": "${address}", "managed": "no", "resource_class": "CUSTOM_L40S_16Q"}`,
    ),
    'alias = {"name": "l40s-16q", "vendor_id": "10de", "product_id": "26b9", "resource_class": "CUSTOM_L40S_16Q", "device_type": "type-VF"}',
  ].join('\n')

const L40S_FLAVOR = buildFlavor({
  name: 'vgpu.l40s-16q',
  memoryMib: 8192,
  extraSpecs: { 'pci_passthrough:alias': 'l40s-16q:1' },
})

/** A process that libvirt does not know. */
export const heldBy = (device: string): DeviceHolder => ({
  device,
  seenBy: 'open-file',
  pid: 812,
  program: 'qemu-system-x86_64',
  guestName: null,
  guestUuid: null,
})

type L40sCloud = {
  typed: number
  flavors?: Flavor[]
  /** VFs that device_spec names; all of them. */
  listed?: readonly string[]
  isInPlacement?: boolean
  /** The driver makes no more on a VF without a type. */
  isFull?: boolean
  /** `current_vgpu_type` of a VF can not be read. */
  isUnread?: boolean
}

/** An L40S for three L40S-16Q by vendor VFIO: some of its listed VFs have the type, others could get it. */
export const l40sCloud = ({
  typed,
  flavors = [L40S_FLAVOR],
  listed = L40S_VFS,
  isInPlacement = true,
  isFull = false,
  isUnread = false,
}: L40sCloud): FleetFacts => {
  const conf = confOf(listed, isInPlacement)
  const input = k40cCloud({
    novaConf: conf,
    api: conf,
    flavors,
    cards: [
      {
        address: L40S,
        deviceId: '26b9',
        modelName: 'NVIDIA L40S',
        functions: L40S_VFS.map((address, index) => ({
          address,
          vendorVfio: {
            currentType: index < typed ? 1154 : isUnread ? null : 0,
            creatable: index < typed || isFull ? [] : ['1154  : NVIDIA L40S-16Q'],
          },
        })),
      },
    ],
  })
  const [root] = input.facts.providers.value ?? []
  if (root === undefined) throw new Error('the cloud has a compute node')
  const provider = mdevProvider(root, {
    address: L40S,
    n: 1,
    name: pciProviderName({ hypervisorHostname: root.name, address: L40S }),
    inventories: { CUSTOM_L40S_16Q: inventoryOf(listed.length, 0) },
  })
  const providers = isInPlacement ? [root, provider] : [root]
  return {
    ...input,
    facts: {
      ...input.facts,
      providers: { ...input.facts.providers, value: providers },
    } as FleetFacts['facts'],
  }
}
