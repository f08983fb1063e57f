import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { canVerifyUnits, verifyUnit } from '@/lib/domain/testing/verify-unit'
import type { GroupDevice, Inventory } from '@/lib/schemas/agent/inventory'
import type { PassthroughInput } from './draft'
import { planPassthrough } from './plan-passthrough'

const sound: GroupDevice = {
  address: '0000:20:00.1',
  classCode: '040300',
  vendorId: '10de',
  deviceId: '10f7',
  driver: 'snd_hda_intel',
}

/** The T4 of the healthy cloud in a separate IOMMU group, or with other devices. */
const cloud = (
  others: readonly GroupDevice[] = [],
  edit: (inventory: Inventory) => Inventory = (same) => same,
) =>
  editHosts(t4Cloud(), (inventory) =>
    edit({
      ...inventory,
      gpus: inventory.gpus.map((gpu) => ({
        ...gpu,
        iommuGroup: 30,
        iommuGroupMembers: others.map(({ address }) => address),
        iommuGroupDevices: [...others],
      })),
    }),
  )

const plan = (input = cloud(), over: Partial<PassthroughInput> = {}) => {
  const fleet = joinFleet(input)
  const [joined] = fleet.hosts
  const gpus = (joined?.pgpus ?? []).map(({ pgpu }) => ({
    host: joined?.host.name ?? '',
    address: pgpu.address,
  }))
  return planPassthrough(fleet, {
    gpus,
    to: 'whole',
    alias: null,
    isFlavorLossAccepted: true,
    held: [],
    ...over,
  })
}

const kinds = ({ steps }: ReturnType<typeof plan>): string[] => steps.map(({ task }) => task.kind)

describe('a card is assigned whole', () => {
  it('in the order that Nova and the kernel need', () => {
    const found = plan()
    expect(found.refusals).toEqual([])
    const order = kinds(found).filter((kind, at, all) => all.indexOf(kind) === at)
    expect(order).toEqual([
      'close-service',
      'drain-server',
      'await-empty',
      'remove-mdev',
      'move-traits',
      'restart-nova',
      'write-config',
      'write-pci-config',
      'bind-driver',
      'verify-whole',
      'remove-stale-provider',
      'open-service',
    ])
    expect(kinds(found).lastIndexOf('restart-nova')).toBeGreaterThan(kinds(found).indexOf('bind-driver'))
  })

  it('with a device_spec of its address and an alias after its model, and without its vGPU type', () => {
    const [host] = plan().typeChange?.hosts ?? []
    expect(host?.configAfter).toContain(
      'device_spec = {"vendor_id": "10de", "product_id": "1eb8", "address": "0000:20:00.0"}',
    )
    expect(host?.configAfter).toContain('alias = {"name": "t4", "vendor_id": "10de", "product_id": "1eb8"')
    expect(host?.configBefore).toContain('[mdev_nvidia-319]')
    expect(host?.configAfter).not.toContain('nvidia-319')
    expect(plan(cloud(), { alias: 'gpu' }).typeChange?.hosts[0]?.configAfter).toContain('"name": "gpu"')
  })

  it('reports which flavors lose their last host, and does nothing before that is accepted', () => {
    const { typeChange, steps, refusals } = plan(cloud(), { isFlavorLossAccepted: false })
    expect(typeChange?.capacities).toEqual([
      expect.objectContaining({ before: 4, after: 0 }),
      { typeId: 'passthrough', typeName: 'whole card', before: 0, after: 1 },
    ])
    expect(typeChange?.flavors.some(({ after }) => after === 0)).toBe(true)
    expect(steps).toEqual([])
    expect(refusals[0]?.reason).toMatch(/could no longer be scheduled on any host/)
  })

  it('takes its own sound function along, and refuses a group with a device that the host needs', () => {
    const bound = plan(cloud([sound])).steps.filter(({ task }) => task.kind === 'bind-driver')
    expect(bound.map(({ title }) => title.split(' ').slice(2).join(' '))).toEqual([
      '0000:20:00.1 to vfio-pci',
      '0000:20:00.0 to vfio-pci',
    ])
    const nic = { ...sound, address: '0000:5e:00.0', classCode: '020000', driver: 'mlx5_core' }
    expect(plan(cloud([nic])).refusals[0]?.reason).toMatch(/0000:5e:00.0 \(mlx5_core\)/)
  })

  it.each([
    [
      'without an IOMMU group',
      (inventory: Inventory) => ({
        ...inventory,
        gpus: inventory.gpus.map((gpu) => ({ ...gpu, iommuGroup: null })),
      }),
      /IOMMU/,
    ],
    [
      'whose host does not report its guests',
      (inventory: Inventory) => ({ ...inventory, guests: null }),
      /guests/,
    ],
  ])('a card %s is refused', (_, edit, reason) => {
    const { refusals, steps } = plan(cloud([], edit))
    expect(refusals[0]?.reason).toMatch(reason)
    expect(steps).toEqual([])
  })
})

describe('after a reboot', () => {
  const unitOf = (input = cloud([sound])) =>
    plan(input)
      .typeChange?.configs.flatMap(({ texts }) => texts)
      .find(({ path }) => path.includes('sliceboard-passthrough.service'))?.text ?? ''

  it.skipIf(!canVerifyUnits)('a unit that systemd-analyze verify takes binds the card and its sound', () => {
    expect(unitOf()).toContain('echo 0000:20:00.1 > /sys/bus/pci/drivers_probe')
    expect(verifyUnit('sliceboard-passthrough', unitOf())).toEqual({ messages: [], status: 0 })
  })

  it('the cards that went out before stay bound: the file is one for all of a host', () => {
    const [other, otherSound] = ['0000:61:00.0', '0000:61:00.1']
    const two = editHosts(cloud(), (inventory) => ({
      ...inventory,
      gpus: inventory.gpus.flatMap((gpu) => [
        gpu,
        {
          ...gpu,
          address: other,
          driver: 'vfio-pci',
          mdevTypes: null,
          iommuGroupMembers: [otherSound],
          iommuGroupDevices: [{ ...sound, address: otherSound, driver: 'vfio-pci' }],
        },
      ]),
      novaConfig: novaConf(
        '[pci]\ndevice_spec = {"vendor_id": "10de", "product_id": "1eb8", "address": "0000:61:00.0"}',
      ),
    }))
    const fleet = joinFleet(two)
    const found = planPassthrough(fleet, {
      gpus: [{ host: fleet.hosts[0]?.host.name ?? '', address: '0000:20:00.0' }],
      to: 'whole',
      alias: null,
      isFlavorLossAccepted: true,
      held: [],
    })
    expect(found.refusals).toEqual([])
    const unit = found.typeChange?.configs
      .flatMap(({ texts }) => texts)
      .find(({ path }) => path.includes('.service'))
    for (const address of [other, otherSound, '0000:20:00.0'])
      expect(unit?.text).toContain(`echo ${address} > /sys/bus/pci/drivers_probe`)
  })
})

const readYaml = (text: string): unknown => {
  const [older, newer] = [parse(text, { version: '1.1' }), parse(text, { version: '1.2' })]
  expect(older).toEqual(newer)
  return newer
}

describe('a deployment tool that takes all of nova.conf of a host in one text', () => {
  const SPEC = '{"vendor_id": "10de", "product_id": "1eb8", "address": "0000:20:00.0"}'
  const ALIAS = '{"name": "t4", "vendor_id": "10de", "product_id": "1eb8", "device_type": "type-PCI"}'
  const textsOf = (deployment: string) => {
    const found = plan().typeChange?.configs.find((config) => config.deployment === deployment)
    expect(found?.problem).toBeNull()
    return (found?.texts ?? [])
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => readYaml(text))
  }
  const multi = (...values: string[]) => ({ type: 'multistring', values })

  it('MOSK: a node override with the vGPU types that are left, and the alias cloud-wide', () => {
    const devices = { enabled_mdev_types: '' }
    const pci = { device_spec: multi(SPEC), alias: multi(ALIAS) }
    const nova_compute = { values: { conf: { nova: { devices, pci } } } }
    expect(textsOf('mosk')).toMatchObject([
      {
        kind: 'OpenStackDeployment',
        spec: {
          nodes: { 'sliceboard-vgpu::pci-cmp-1': { services: { compute: { nova: { nova_compute } } } } },
        },
      },
      {
        spec: {
          services: { compute: { nova: { values: { conf: { nova: { pci: { alias: multi(ALIAS) } } } } } } },
        },
      },
    ])
  })

  it('OpenStack-Ansible: the variables of os_nova, of the host and of the API', () => {
    expect(textsOf('openstack-ansible')).toEqual([
      {
        nova_nova_conf_overrides: { devices: { enabled_mdev_types: '' } },
        nova_device_spec: [SPEC],
        nova_pci_alias: [ALIAS],
      },
      { nova_pci_alias: [ALIAS] },
    ])
  })
})

describe('a card with VFs', () => {
  const vf = (address: string, currentType: number | null) => ({
    address,
    driver: 'nvidia',
    iommuGroup: null,
    mdevTypes: null,
    vendorVfio: currentType === null ? null : { currentType, creatable: [], params: null },
  })
  const withVfs = (driver: string) =>
    cloud([], (inventory) => ({
      ...inventory,
      mdevs: [],
      guests: [],
      gpus: inventory.gpus.map((gpu) => ({
        ...gpu,
        driver,
        mdevTypes: null,
        sriov: { totalVfs: 2, enabledVfs: 2 },
        virtualFunctions: [vf('0000:20:00.4', 1152), vf('0000:20:00.5', 0)],
      })),
      novaConfig: novaConf(
        '[pci]\ndevice_spec = {"vendor_id": "10de", "address": "0000:20:00.4", "resource_class": "CUSTOM_X", "managed": "no"}',
      ),
    }))

  it('loses its types, its lines of [pci] and its VFs before it is bound', () => {
    const found = plan(withVfs('nvidia'))
    expect(found.refusals).toEqual([])
    const order = kinds(found).filter((kind) => /vfio-type|vfs|bind|pci-config/.test(kind))
    expect(order).toEqual(['set-vfio-type', 'write-pci-config', 'switch-vfs', 'bind-driver'])
    expect(found.typeChange?.hosts[0]?.configAfter).not.toContain('0000:20:00.4')
  })

  it('that another driver created is refused with the remedy', () => {
    expect(plan(withVfs('gim')).refusals[0]?.reason).toMatch(/gim created them: first disable them/)
  })
})

describe('a card is removed from passthrough', () => {
  const whole = (pci: string) =>
    cloud([], (inventory) => ({
      ...inventory,
      mdevs: [],
      guests: [],
      gpus: inventory.gpus.map((gpu) => ({ ...gpu, driver: 'vfio-pci', mdevTypes: null })),
      novaConfig: novaConf(`[pci]\n${pci}`),
    }))

  it('back to the driver that slices it, and chooses no type', () => {
    const found = plan(whole('device_spec = {"vendor_id": "10de", "product_id": "1eb8"}'), { to: 'sliced' })
    expect(kinds(found)).toContain('bind-driver')
    expect(kinds(found)).toContain('verify-sliced')
    expect(found.typeChange?.hosts[0]?.configAfter).not.toContain('device_spec')
    const write = found.steps.find(({ task }) => task.kind === 'write-pci-config')
    // The line is in a file that is not the console's.
    expect(write?.doer).toBe('operator')
  })

  it('the unit that binds at a reboot goes, or keeps the cards that stay whole', () => {
    const input = whole('device_spec = {"vendor_id": "10de", "product_id": "1eb8"}')
    const textsOf = (from: typeof input) => {
      const [host] = from.hosts
      const [gpu] = host?.inventory.gpus ?? []
      const gpus = [{ host: host?.name ?? '', address: gpu?.address ?? '' }]
      const { configs = [] } = plan(from, { to: 'sliced', gpus }).typeChange ?? {}
      return (configs[0]?.texts ?? []).map(({ text }) => text).join('\n')
    }
    expect(textsOf(input)).toContain('systemctl disable --now sliceboard-passthrough')
    expect(textsOf(input)).not.toContain('driver_override')
    const two = editHosts(input, (inventory) => ({
      ...inventory,
      gpus: inventory.gpus.flatMap((gpu) => [gpu, { ...gpu, address: '0000:40:00.0' }]),
    }))
    expect(textsOf(two)).not.toContain('systemctl disable')
    expect(textsOf(two)).toContain('driverctl unset-override 0000:20:00.0')
    expect(textsOf(two)).toContain('echo vfio-pci > /sys/bus/pci/devices/0000:40:00.0/driver_override')
    expect(textsOf(two)).not.toContain('echo vfio-pci > /sys/bus/pci/devices/0000:20:00.0')
  })

  it('a card that is sliced is there already', () => {
    expect(plan(cloud(), { to: 'sliced' })).toMatchObject({ steps: [], refusals: [] })
  })
})
