import {
  type GpuDevice,
  type Guest,
  type Inventory,
  inventorySchema,
  type Mdev,
  type NovaConfig,
  type TypeAvailability,
  type VendorVfio,
  type VgpuType,
} from '@/lib/schemas/agent/inventory'

/** A type as a driver words it, with `available_instances` on the parent that offers it. */
export type Offer = {
  typeId: string
  name: string | null
  description: string | null
  available: number | null
}

type FunctionSpec = {
  address: string
  driver?: string | null
  offers?: Offer[]
  vendorVfio?: VendorVfio
}

export type CardSpec = Partial<Omit<GpuDevice, 'virtualFunctions' | 'mdevTypes'>> & {
  address: string
  offers?: Offer[]
  functions?: FunctionSpec[]
}

const readOffers = (offers: Offer[] | undefined, book: VgpuType[]): TypeAvailability[] | null =>
  offers?.map(({ available, typeId, name, description }) => {
    const index = book.findIndex(
      (type) => type.typeId === typeId && type.name === name && type.description === description,
    )
    if (index >= 0) return [index, available]
    book.push({ typeId, name, description, deviceApi: 'vfio-pci' })
    return [book.length - 1, available]
  }) ?? null

const buildCard = ({ offers, functions, ...card }: CardSpec, book: VgpuType[]): GpuDevice => ({
  classCode: '030200',
  vendorId: '10de',
  deviceId: '1eb8',
  subsystemVendorId: '10de',
  subsystemDeviceId: '12a2',
  modelName: null,
  driver: 'nvidia',
  numaNode: 0,
  iommuGroup: 40,
  iommuGroupMembers: [],
  sriov: functions === undefined ? null : { totalVfs: functions.length, enabledVfs: functions.length },
  virtualFunctions: (functions ?? []).map((vf) => ({
    address: vf.address,
    driver: vf.driver ?? 'nvidia',
    iommuGroup: null,
    mdevTypes: readOffers(vf.offers, book),
    vendorVfio: vf.vendorVfio ?? null,
  })),
  mdevTypes: readOffers(offers, book),
  vendorVfio: null,
  ...card,
})

/** A nova.conf from the text of its files, in the order in which oslo.config reads them. Continuation lines are left out. */
export const buildNovaConfig = (files: Record<string, string>): NovaConfig => {
  const options = Object.entries(files).flatMap(([file, text]) => {
    let section = 'DEFAULT'
    return text.split('\n').flatMap((raw, index) => {
      const header = /^\[(.*)\]$/.exec(raw.trim())
      if (header !== null) section = header[1] ?? section
      const pair = header === null ? /^\s*([\w-]+)\s*=\s*(.*)$/.exec(raw) : null
      return pair === null
        ? []
        : [{ section, name: pair[1] ?? '', value: (pair[2] ?? '').trim(), file, line: index + 1 }]
    })
  })
  return { deployment: 'package', files: Object.keys(files), options }
}

/** A nova.conf of one file. */
export const novaConf = (text: string): NovaConfig => buildNovaConfig({ '/etc/nova/nova.conf': text })

/** Uuid number n, in canonical form. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

export const buildMdev = (mdev: Partial<Mdev> & { uuid: string; parent: string }): Mdev => ({
  typeId: null,
  isActive: true,
  definition: null,
  ...mdev,
})

/** An active mdev definition as Nova from 30.0.0 on leaves it. */
export const autostart = (mdev: { uuid: string; parent: string; typeId: string }): Mdev['definition'] => ({
  typeId: mdev.typeId,
  start: 'auto',
  path: `/etc/mdevctl.d/${mdev.parent}/${mdev.uuid}`,
})

/** A guest; `state: 'shutoff'` has only the persistent XML. */
export const buildGuest = ({
  name,
  mdevs = [],
  pciDevices = [],
  ...rest
}: Omit<Partial<Guest>, 'mdevs' | 'pciDevices'> & {
  uuid: string
  name: string
  mdevs?: string[]
  pciDevices?: string[]
}): Guest => {
  const isLive = rest.state !== 'shutoff'
  return {
    state: 'running',
    livePath: isLive ? `/run/libvirt/qemu/${name}.xml` : null,
    persistentPath: `/etc/libvirt/qemu/${name}.xml`,
    nova: null,
    name,
    mdevs: mdevs.map((uuid) => ({ uuid, isLive, isPersistent: true })),
    pciDevices: pciDevices.map((address) => ({ address, isLive, isPersistent: true })),
    ...rest,
  }
}

/** A whole inventory, parsed by the contract's own schema, so that a builder can't make what an agent can't send. */
export const buildInventory = ({
  cards,
  ...rest
}: Partial<Omit<Inventory, 'gpus' | 'vgpuTypes'>> & { cards: CardSpec[] }): Inventory => {
  const vgpuTypes: VgpuType[] = []
  const gpus = cards.map((card) => buildCard(card, vgpuTypes))
  return inventorySchema.parse({
    host: {
      name: 'cmp-01',
      osName: 'Ubuntu 22.04.4 LTS',
      kernel: '5.15.0-105-generic',
      libvirtVersion: '8.0.0',
      qemuVersion: '6.2.0',
      nvidiaDriverVersion: '535.161.05',
      numaNodes: [],
    },
    vgpuTypes,
    gpus,
    mdevs: [],
    guests: [],
    novaConfig: novaConf(''),
    nvidiaSmi: null,
    problems: [],
    ...rest,
  })
}
