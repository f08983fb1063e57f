import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Finding } from '@/lib/domain/findings/finding'
import { beforeRelease, changeNovaConf } from './break'
import { expectAllRepaired, writeLines } from './expect-repaired'
import { mdevsOf, novaConfOf, treeOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { openOperator, waitUntil } from './operator'
import { dropSpareMdevs, makeSpareMdev } from './spare-mdevs'
import { addFile, addFolder } from './tree-files'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const A2 = '0000:41:00.0'
const T4 = '0000:84:00.0'
const HABANA = '0000:c1:00.0'
const staysOff = beforeRelease('2025.1', 'a healthy lab has the finding from then on')
const spareOnT4 = (typeId: string) => makeSpareMdev('gpu02', { parent: T4, typeId })

/** The process of a guest that libvirt does not list, with a device of the host. */
const startQemu = (device: string) =>
  addFolder('gpu02', 'proc/4242', {
    cmdline: [
      'qemu-system-x86_64',
      '-name',
      'guest=own',
      '-device',
      `vfio-pci,sysfsdev=/sys/bus/mdev/devices/${device}`,
    ].join('\0'),
  })

/** What nvidia-smi prints when the T4 does not respond and the infoROM of the A2 is damaged. */
const breakDriver = () => {
  const at = path.join(treeOf('gpu02'), '.sliceboard/commands')
  const all = path.join(at, 'nvidia-smi-q.txt')
  const before = readFileSync(all, 'utf8')
  writeFileSync(all, `Unable to determine the device handle for GPU ${T4}: Unknown Error\n`)
  const ofA2 = path.join(at, `nvidia-smi-q-i-${A2.replaceAll(/[:.]/g, '-')}.txt`)
  writeFileSync(
    ofA2,
    `${before.slice(0, before.indexOf(`GPU 00000000:${T4}`))}\nWARNING: infoROM is corrupted at gpu ${A2}\n`,
  )
  return () => {
    writeFileSync(all, before)
    rmSync(ofA2, { force: true })
  }
}

describe('devices of a host', () => {
  it('are found with vGPUs of several types, in use by an unknown guest, with an error of the driver or of another kind', async () => {
    let stopQemu: () => unknown
    let repairDriver: () => unknown
    await expectAllRepaired(operator, [
      {
        code: 'orphan-mdevs',
        sourceToCorrect: 'hardware',
        about: T4,
        break: async () => {
          await spareOnT4('nvidia-319')
          return () => dropSpareMdevs('gpu02')
        },
        // The suggestion of mixed-types too: one type per card.
        follow: () => dropSpareMdevs('gpu02'),
      },
      {
        code: 'mixed-types',
        sourceToCorrect: null,
        about: 'T4-4C and T4-4Q',
        break: () => spareOnT4('nvidia-232'),
        follow: () => undefined,
      },
      {
        code: 'guests-outside-libvirt',
        sourceToCorrect: 'hardware',
        about: 'own',
        break: async () => {
          stopQemu = startQemu(await spareOnT4('nvidia-232'))
          return stopQemu
        },
        follow: async () => {
          await stopQemu()
          await dropSpareMdevs('gpu02')
        },
      },
      {
        code: 'gpu-lost',
        sourceToCorrect: 'hardware',
        about: T4,
        break: () => {
          repairDriver = breakDriver()
          return repairDriver
        },
        follow: () => undefined,
      },
      {
        code: 'driver-warning',
        sourceToCorrect: 'hardware',
        about: 'infoROM is corrupted',
        break: () => undefined,
        // As after a reset and a repair by the vendor.
        follow: () => repairDriver(),
      },
    ])
  })
})

/** An accelerator of another vendor that is bound to vfio-pci. */
const addAccelerator = () => {
  const folder = `sys/bus/pci/devices/${HABANA}`
  const remove = addFolder('gpu01', folder, {
    class: '0x120000\n',
    vendor: '0x1da3\n',
    device: '0x1020\n',
    numa_node: '0\n',
  })
  for (const [link, target] of [
    ['driver', 'sys/bus/pci/drivers/vfio-pci'],
    ['iommu_group', 'sys/kernel/iommu_groups/99'],
  ] as const) {
    mkdirSync(path.join(treeOf('gpu01'), target, 'devices'), { recursive: true })
    symlinkSync(path.relative(folder, target), path.join(treeOf('gpu01'), folder, link))
  }
  return remove
}

/** The crypto adapters of s390: their mdevs are no PCI devices. */
const addCryptoParent = () =>
  addFolder('gpu01', 'sys/class/mdev_bus/matrix', {
    'mdev_supported_types/vfio_ap-passthrough/name': 'VFIO AP Passthrough Device\n',
    'mdev_supported_types/vfio_ap-passthrough/device_api': 'vfio-ap\n',
    'mdev_supported_types/vfio_ap-passthrough/available_instances': '65536\n',
  })

describe('a host', () => {
  it('is found with devices that are not covered, an mdev without a type, and servers that stay off after a reboot', async () => {
    const [held] = mdevsOf('gpu01')
    const definition = `etc/mdevctl.d/${T4}/${held?.uuid}`
    let removeParent: () => unknown
    let correct: () => unknown
    await expectAllRepaired(operator, [
      {
        code: 'mdev-parent-not-gpu',
        sourceToCorrect: null,
        about: 'matrix',
        break: () => {
          removeParent = addCryptoParent()
          return removeParent
        },
        follow: () => removeParent(),
      },
      {
        code: 'accelerator-not-covered',
        sourceToCorrect: null,
        about: HABANA,
        break: () => {
          const remove = addAccelerator()
          const text = readFileSync(novaConfOf('gpu01'), 'utf8')
          return async () => {
            await remove()
            writeFileSync(novaConfOf('gpu01'), text)
          }
        },
        follow: changeNovaConf(
          'gpu01',
          (text) => `${text}\n[pci]\ndevice_spec = {"vendor_id": "1da3", "product_id": "1020"}\n`,
        ),
      },
      {
        code: 'scan-problems',
        sourceToCorrect: null,
        about: 'notes.txt',
        break: () => {
          correct = addFile('gpu02', `etc/mdevctl.d/${T4}/notes.txt`, 'not a definition')
          return correct
        },
        follow: () => correct(),
      },
      ...(staysOff.isSkipped
        ? []
        : [
            {
              code: 'guests-stay-off',
              sourceToCorrect: null,
              about: 'lab-t4',
              break: () =>
                addFile(
                  'gpu01',
                  definition,
                  JSON.stringify({ mdev_type: held?.type_id, start: 'auto', attrs: [] }),
                ),
              follow: (finding: Finding) => writeLines(novaConfOf('gpu01'), finding),
            },
          ]),
      {
        code: 'mdev-without-type',
        sourceToCorrect: 'hardware',
        about: A2,
        break: async () => {
          const taken = mdevsOf('gpu02').map(({ parent }) => parent)
          const parent = ['0000:41:00.4', '0000:41:00.5'].find(
            (address) => !taken.includes(`pci_${address.replaceAll(/[:.]/g, '_')}`),
          )
          const lost = await makeSpareMdev('gpu02', { parent: parent ?? '', typeId: 'nvidia-746' })
          const link = path.join(treeOf('gpu02'), 'sys/bus/mdev/devices', lost, 'mdev_type')
          await waitUntil('the mdev in the tree', async () => (existsSync(link) ? true : null))
          rmSync(link)
          return () => dropSpareMdevs('gpu02')
        },
        follow: () => dropSpareMdevs('gpu02'),
      },
    ])
  })
})

/** Moves a file or folder of a host's tree, as another deployment would have it. */
const moveAway = (host: string, at: string) => {
  const [from, to] = [path.join(treeOf(host), at), path.join(treeOf(host), 'srv', at)]
  mkdirSync(path.dirname(to), { recursive: true })
  renameSync(from, to)
  return () => renameSync(to, from)
}

describe('an agent', () => {
  const setPaths = (host: string, line: string) =>
    addFile(host, 'etc/sliceboard/agent.toml', `[scan]\n${line}\n`)

  it('is found that cannot read guests, nova.conf or a definition, until it has the paths', async () => {
    const forget: (() => unknown)[] = []
    await expectAllRepaired(operator, [
      {
        code: 'guests-not-read',
        sourceToCorrect: null,
        about: 'gpu01',
        break: () => {
          const back = ['etc/libvirt/qemu', 'run/libvirt/qemu'].map((at) => moveAway('gpu01', at))
          return async () => {
            for (const repair of [...back, ...forget]) await repair()
          }
        },
        follow: () =>
          forget.push(setPaths('gpu01', 'guest_xml = ["/srv/run/libvirt/qemu", "/srv/etc/libvirt/qemu"]')),
      },
      {
        code: 'nova-conf-not-read',
        sourceToCorrect: null,
        about: 'gpu02',
        break: () => moveAway('gpu02', 'etc/nova'),
        follow: () =>
          forget.push(
            setPaths('gpu02', 'nova_config = ["/srv/etc/nova/nova.conf", "/srv/etc/nova/nova-compute.conf"]'),
          ),
      },
    ])
  })
})

it('leaves nothing of all that behind', becomesCalm)
