import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { changeNovaConf } from './break'
import { expectAllRepaired, expectRepaired, runInShell, writeLines } from './expect-repaired'
import { removeHost, runExtraHost } from './extra-host'
import { hostFile, novaConfOf, treeOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { openOperator, waitUntil } from './operator'
import { giveHardware } from './other-hardware'
import { addFile, addFolder } from './tree-files'

/** An L40S with VFs of vendor VFIO, and a K40c that is assigned as a whole. */
const [VFS, WHOLE] = ['gpu03', 'hyper18']
const L40S = '0000:41:00.0'
const K40C = '0000:86:00.0'
const PROVIDER = `${VFS}_${L40S}`
const FLAVOR = { name: 'lab.l40s-8q', vcpus: 1, ram: 1024, disk: 5 }
const SERVER = 'lab-l40s'
const ALIAS =
  'alias = {"name": "l40s-8q", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-VF"}\n'

/** That of the K40c, as hyper18 has it. */
const WHOLE_ALIAS =
  'alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024", "device_type": "type-PCI"}\n'

let operator: Awaited<ReturnType<typeof openOperator>>
const close = async () => {
  await operator.deleteServer(SERVER)
  await operator.deleteFlavor(FLAVOR.name)
  for (const host of [VFS, WHOLE]) await removeHost(operator, host)
}
beforeAll(async () => {
  operator = await openOperator()
  await close()
  await operator.createFlavor(FLAVOR, { 'pci_passthrough:alias': 'l40s-8q:1' })
  mkdirSync(path.dirname(novaConfOf(VFS)), { recursive: true })
  copyFileSync(path.join('lab/hosts', VFS, 'nova-compute.conf'), novaConfOf(VFS))
  for (const host of [VFS, WHOLE]) runExtraHost('add', host)
  await waitUntil(`${PROVIDER} with six VFs`, async () =>
    (await operator.offered(PROVIDER))?.totals.CUSTOM_L40S_8Q === 6 ? true : null,
  )
})
afterAll(async () => {
  await close()
  await operator.close()
})

/** Runs a command of the host in its tree. */
const runInTree = (command: string) =>
  runInShell(command.replaceAll(/(?<= )\/(?=sys|usr)/g, `${treeOf(VFS)}/`), VFS)

const typeOf = (vf: string) => path.join(treeOf(VFS), 'sys/bus/pci/devices', vf, 'nvidia/current_vgpu_type')
/** The watcher ends the line when it has taken the type. */
const typesAre = (vf: string, type: string) =>
  waitUntil(`${vf} with ${type}`, async () =>
    readFileSync(typeOf(vf), 'utf8') === `${type}\n` ? true : null,
  )

/** Makes a host one of Nova's API, with these aliases. */
const addApi = (aliases: string) => {
  const files = [
    addFile(VFS, 'etc/init.d/nova-api', ''),
    addFile(VFS, 'etc/nova/nova-api.conf', `[pci]\n${aliases}`),
  ]
  return async () => {
    for (const remove of files) await remove()
  }
}
const apiFile = () => path.join(treeOf(VFS), 'etc/nova/nova-api.conf')

describe('VFs of vendor VFIO', () => {
  it('are found without a type, and with one and no device_spec', async () => {
    const [untyped, unlisted] = ['0000:41:00.4', '0000:41:01.1']
    const restore = changeNovaConf(VFS, (text) => text.replace('"[0-1]"', '"0"'))
    let list: () => unknown
    await expectAllRepaired(operator, [
      {
        code: 'vfs-without-type',
        sourceToCorrect: 'hardware',
        about: untyped,
        break: async () => {
          writeFileSync(typeOf(untyped), '0')
          await typesAre(untyped, '0')
        },
        follow: async ({ command }) => {
          await runInTree(String(command))
          await typesAre(untyped, '1152')
        },
      },
      {
        code: 'vendor-vfio-not-listed',
        sourceToCorrect: 'nova.conf',
        about: unlisted,
        break: () => {
          list = restore()
          return list
        },
        follow: () => list(),
      },
    ])
  })

  it('are found reserved after their use', async () => {
    await expectRepaired(operator, {
      code: 'device-waits-for-cleaning',
      sourceToCorrect: null,
      about: PROVIDER,
      break: async () => {
        const uuid = (await operator.providerNamed(PROVIDER))?.uuid ?? ''
        const { generation, inventories } = await operator.placement.getInventories(uuid)
        const changed = Object.entries(inventories).map(([name, each]) => [
          name,
          { ...each, reserved: each.total },
        ])
        await operator.placement.putInventories(uuid, {
          generation,
          inventories: Object.fromEntries(changed),
        })
      },
    })
  })

  it('are found in two guests', async () => {
    await operator.bootServer({ name: SERVER, flavor: FLAVOR.name, host: VFS })
    const [guest] = (await scanHost({ root: treeOf(VFS) })).guests ?? []
    const own = path.join(treeOf(VFS), guest?.persistentPath ?? '')
    let remove: () => unknown
    await expectRepaired(operator, {
      code: 'device-in-two-guests',
      sourceToCorrect: 'libvirt',
      about: 'instance-0000ffff',
      break: () => {
        const text = readFileSync(own, 'utf8')
          .replace(/<uuid>[^<]*<\/uuid>/, `<uuid>${randomUUID()}</uuid>`)
          .replace(/<name>[^<]*<\/name>/, '<name>instance-0000ffff</name>')
        remove = addFile(VFS, 'etc/libvirt/qemu/instance-0000ffff.xml', text)
        return remove
      },
      follow: () => remove(),
    })
    await operator.deleteServer(SERVER)
  })
})

describe('aliases', () => {
  it('are found missing on Nova’s API', async () => {
    await expectRepaired(operator, {
      code: 'alias-not-on-api',
      sourceToCorrect: 'nova.conf',
      about: 'l40s-8q',
      break: () => addApi(WHOLE_ALIAS),
      follow: () => writeFileSync(apiFile(), `${readFileSync(apiFile(), 'utf8')}${ALIAS}`),
    })
  })

  it('are found with different devices', async () => {
    await expectRepaired(operator, {
      code: 'alias-differs',
      sourceToCorrect: 'nova.conf',
      about: 'l40s-8q',
      break: () => addApi(`${WHOLE_ALIAS}${ALIAS.replace('type-VF', 'type-PF')}`),
      follow: () => writeFileSync(apiFile(), `[pci]\n${WHOLE_ALIAS}${ALIAS}`),
    })
  })

  it('are found to match no device that is assigned', async () => {
    await operator.deleteFlavor(FLAVOR.name)
    await expectRepaired(operator, {
      code: 'device-without-alias',
      sourceToCorrect: 'nova.conf',
      about: L40S,
      break: async () => {
        const back = changeNovaConf(VFS, (text) => text.replace(ALIAS, ''))()
        const remove = addApi(WHOLE_ALIAS)
        return async () => {
          await remove()
          await back()
        }
      },
      follow: (finding) => {
        writeLines(novaConfOf(VFS), finding)
        writeFileSync(apiFile(), `${finding.command}\n${WHOLE_ALIAS}`)
      },
    })
  })

  it('are missing in a flavor that requests VFs by their class', async () => {
    const name = 'wrong.by-class'
    await expectRepaired(operator, {
      code: 'flavor-class-without-device',
      sourceToCorrect: 'nova',
      about: name,
      opens: ['flavor-needs-filter'],
      break: async () => {
        await operator.createFlavor({ ...FLAVOR, name }, { 'resources:CUSTOM_L40S_8Q': '1' })
        return () => operator.deleteFlavor(name)
      },
      follow: async () => {
        await runInShell(
          `openstack flavor unset --property resources:CUSTOM_L40S_8Q ${name}\nopenstack flavor set --property pci_passthrough:alias=l40s-8q:1 ${name}`,
          '',
        )
      },
    })
  })
})

describe('a card for passthrough', () => {
  const device = (address: string) => path.join(treeOf(WHOLE), 'sys/bus/pci/devices', address)

  /** Another function of the card in its IOMMU group. */
  const addAudio = (driver: string) => {
    const address = '0000:86:00.1'
    const remove = addFolder(WHOLE, `sys/bus/pci/devices/${address}`, {
      class: '0x040300\n',
      vendor: '0x10de\n',
      device: '0x0e1a\n',
    })
    const drivers = path.join(treeOf(WHOLE), 'sys/bus/pci/drivers', driver)
    mkdirSync(drivers, { recursive: true })
    symlinkSync(drivers, path.join(device(address), 'driver'))
    return remove
  }

  it('is found with another driver and in a group that is not isolated', async () => {
    const file = hostFile(WHOLE, 'host.json')
    const before = readFileSync(file, 'utf8')
    const group = (await scanHost({ root: treeOf(WHOLE) })).gpus[0]?.iommuGroup
    let remove: () => unknown
    await expectAllRepaired(operator, [
      {
        code: 'passthrough-driver',
        sourceToCorrect: 'hardware',
        about: K40C,
        break: async () => {
          await giveHardware(WHOLE, before.replace('"isWhole": true', '"isWhole": false'))
          return () => giveHardware(WHOLE, before)
        },
        follow: () => giveHardware(WHOLE, before),
      },
      {
        code: 'iommu-group-not-isolated',
        sourceToCorrect: 'hardware',
        about: 'snd_hda_intel',
        break: async () => {
          const member = addFile(WHOLE, `sys/kernel/iommu_groups/${group}/devices/0000:86:00.1`, '')
          remove = addAudio('snd_hda_intel')
          return async () => {
            await member()
            await remove()
          }
        },
        follow: async () => {
          await remove()
          remove = addAudio('vfio-pci')
        },
      },
    ])
  })

  it('is found without an IOMMU group', async () => {
    const link = path.join(device(K40C), 'iommu_group')
    const back = () => renameSync(`${link}.away`, link)
    await expectRepaired(operator, {
      code: 'iommu-off',
      sourceToCorrect: 'hardware',
      about: K40C,
      break: () => renameSync(link, `${link}.away`),
      follow: back,
    })
  })
})

it('leaves nothing of all that behind', async () => {
  await close()
  await becomesCalm()
})
