import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { Flavor, Server } from '@/lib/domain/cloud/types'
import { buildFlavor, buildInput, buildServer, hostFacts, inventoryOf, readPart, rootOf } from './build-cloud'
import { buildGuest, buildInventory, type CardSpec, novaConf, uuidOf } from './build-inventory'

export const K40C_CONF = `[DEFAULT]
vcpu_pin_set = 0-22
reserved_host_memory_mb = 4096
pci_passthrough_whitelist = [{"vendor_id": "10de", "product_id":"1024"}]
pci_alias = {"vendor_id": "10de", "product_id":"1024", "device_type":"type-PCI", "name":"gpu"}`

/** Memory of the host without what it reserves; MiB. */
const MEMORY_MIB = 124_704

export const GPU_FLAVOR = buildFlavor({
  id: 'g1',
  name: 'g1.gpu',
  vcpus: 2,
  memoryMib: 4096,
  diskGib: 40,
  extraSpecs: { 'pci_passthrough:alias': 'gpu:1' },
})
export const PLAIN_FLAVOR = buildFlavor({
  id: 'm1',
  name: 'm1.large',
  vcpus: 4,
  memoryMib: 8192,
  diskGib: 40,
})

export type K40cCloud = {
  /** Ordinary servers of 4 vCPU and 8 GiB. */
  ordinary?: number
  novaConf?: string
  flavors?: readonly Flavor[]
  /** A guest holds the card. */
  isCardUsed?: boolean
  nova?: string
  /** In addition to the ordinary ones. */
  servers?: readonly Server[]
  /** The nova.conf of nova-api, which then runs there too. */
  api?: string
  /** Others than the K40c. */
  cards?: CardSpec[]
}

/** hyper18 of the second seed: one K40c for passthrough, and ordinary servers that may have taken its memory. */
export const k40cCloud = ({
  ordinary = 0,
  novaConf: text = K40C_CONF,
  flavors = [GPU_FLAVOR, PLAIN_FLAVOR],
  isCardUsed = false,
  nova = '2.96',
  servers = [],
  api,
  cards = [],
}: K40cCloud = {}): FleetFacts => {
  const novaApi = api === undefined ? null : { ...novaConf(api), files: ['/etc/kolla/nova-api/nova.conf'] }
  const inventory = buildInventory({
    host: {
      name: 'hyper18',
      novaApi,
      osName: 'CentOS Linux 7 (Core)',
      kernel: '3.10.0',
      libvirtVersion: '1.2.17',
      qemuVersion: '2.3.0',
      nvidiaDriverVersion: null,
      numaNodes: [
        { id: 0, cpus: '0-11', memoryMib: 64_300 },
        { id: 1, cpus: '12-23', memoryMib: 64_500 },
      ],
    },
    cards: [{ address: '0000:86:00.0', deviceId: '1024', driver: 'vfio-pci', numaNode: 1 }, ...cards],
    guests: isCardUsed
      ? [buildGuest({ uuid: uuidOf(900), name: 'instance-00000ee0', pciDevices: ['0000:86:00.0'] })]
      : [],
    novaConfig: novaConf(text),
  })
  const root = rootOf('hyper18', 1, {
    inventories: {
      VCPU: { ...inventoryOf(23 * 4, ordinary * 4), total: 23, maxUnit: 23, allocationRatio: 4 },
      MEMORY_MB: inventoryOf(MEMORY_MIB, ordinary * 8192),
      DISK_GB: inventoryOf(7150, ordinary * 40),
    },
  })
  const crowd = Array.from({ length: ordinary }, (_, n) =>
    buildServer({
      uuid: uuidOf(100 + n),
      host: 'hyper18',
      name: `crowd-${n + 1}`,
      flavorName: PLAIN_FLAVOR.name,
      diskGib: 40,
      extraSpecs: {},
    }),
  )
  return buildInput(
    {
      versions: { nova, placement: '1.39', keystone: '3.14' },
      providers: readPart([root]),
      hypervisors: readPart([
        {
          id: root.uuid,
          hypervisorHostname: 'hyper18',
          serviceHost: 'hyper18',
          hostIp: null,
          hypervisorVersion: null,
          state: 'up' as const,
          status: 'enabled' as const,
        },
      ]),
      services: readPart([
        {
          id: 's1',
          host: 'hyper18',
          status: 'enabled' as const,
          state: 'up' as const,
          isForcedDown: false,
          disabledReason: null,
          updatedAt: null,
          availabilityZone: 'nova',
        },
      ]),
      flavors: readPart(flavors),
      servers: readPart([...crowd, ...servers]),
    },
    [hostFacts(inventory)],
  )
}
