import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { buildInput, hostFacts } from './build-cloud'
import { buildInventory, type CardSpec, novaConf } from './build-inventory'

type HostPlan = {
  name: string
  cards?: CardSpec[]
  /** Lines below [pci] of nova-compute's nova.conf; null: it could not be read. */
  pci?: readonly string[] | null
  /** The same of nova-api's; absent: Nova's API does not run there. */
  api?: readonly string[]
} & Partial<Pick<CloudHostFacts, 'isSilent' | 'problems'>>

/** A Tesla K40c for passthrough. */
export const k40c = (rest: Partial<CardSpec> = {}): CardSpec => ({
  address: '0000:86:00.0',
  deviceId: '1024',
  driver: 'vfio-pci',
  ...rest,
})

/** An H100, which Nova takes for a PF. */
export const h100 = (rest: Partial<CardSpec> = {}): CardSpec => ({
  address: '0000:41:00.0',
  deviceId: '2331',
  driver: 'vfio-pci',
  sriov: { totalVfs: 20, enabledVfs: 0 },
  ...rest,
})

export const K40C_SPEC = 'device_spec = {"vendor_id": "10de", "product_id": "1024"}'
export const K40C_ALIAS =
  'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}'

const confOf = (lines: readonly string[]) => novaConf(['[pci]', ...lines].join('\n'))

const hostOf = ({ name, cards = [], pci = [], api, ...rest }: HostPlan): CloudHostFacts => {
  const base = buildInventory({ cards, novaConfig: pci === null ? null : confOf(pci) })
  const novaApi = api === undefined ? null : { ...confOf(api), files: ['/etc/kolla/nova-api/nova.conf'] }
  const inventory = { ...base, host: { ...base.host, name, novaApi } }
  return hostFacts(inventory, rest)
}

/** A cloud of hosts with their [pci], and with Nova's API on some. */
export const passthroughCloud = (...hosts: HostPlan[]): FleetFacts => buildInput({}, hosts.map(hostOf))
