import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { temporaryBase } from '@/agent/testing/temporary-base'
import type { LabRelease } from './releases'
import { watchHost } from './watch-host'

const MDEV = '5b3a5c0e-3a0f-4a94-8b6c-0c8f6a1d2e3f'
const GUEST = '0d9f1f7e-64c9-4b3b-9a83-51f0a5ad3a11'

const XML = `<domain type="kvm">
  <uuid>${GUEST}</uuid>
  <name>instance-00000001</name>
  <metadata>
    <nova:instance xmlns:nova="http://openstack.org/xmlns/libvirt/nova/1.1"><nova:name>vm1</nova:name></nova:instance>
  </metadata>
  <devices>
    <hostdev mode="subsystem" type="mdev"><source><address uuid="${MDEV}"/></source></hostdev>
  </devices>
</domain>`

const mdev = (isPersistent: boolean) => ({
  uuid: MDEV,
  type_id: 'nvidia-232',
  parent: 'pci_0000_84_00_0',
  persistent: isPersistent,
  autostart: isPersistent,
  active: true,
})

const guest = (isRunning: boolean) => ({
  uuid: GUEST,
  name: 'instance-00000001',
  isRunning,
  vcpus: 1,
  memoryMib: 1024,
  mdevs: [MDEV],
  xml: XML,
})

const openHost = ({ release = 'zed' as LabRelease } = {}) => {
  const folder = mkdtempSync(path.join(temporaryBase(), 'sliceboard-lab-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const etc = path.join(folder, 'tree/etc/nova')
  mkdirSync(etc, { recursive: true })
  writeFileSync(path.join(etc, 'nova-compute.conf'), '[devices]\nenabled_mdev_types = nvidia-232\n')
  const card = { model: 'T4', address: '0000:84:00.0', numaNode: 0, enabledVfs: null }
  const host = { cpus: 8, memoryMib: 16_384, diskGib: 100, cards: [card] }
  writeFileSync(path.join(folder, 'host.json'), JSON.stringify(host))
  const lines: string[] = []
  const nova = { pidFile: path.join(folder, 'compute.pid'), restartScript: '#!/bin/sh\n' }
  const { look } = watchHost({
    folder,
    release,
    novaVersion: '26.2.2',
    nova,
    log: (line) => lines.push(line),
  })
  look()
  return {
    folder,
    root: path.join(folder, 'tree'),
    look,
    lines,
    writeHypervisor: (state: unknown) =>
      writeFileSync(path.join(folder, 'hypervisor.json'), JSON.stringify(state)),
    writes: () =>
      readdirSync(path.join(folder, 'tree-writes'))
        .sort()
        .map((name): unknown => JSON.parse(readFileSync(path.join(folder, 'tree-writes', name), 'utf8'))),
  }
}

it('describes the cards to the fake libvirt with their real types', () => {
  const { folder } = openHost()
  const hardware: unknown = JSON.parse(readFileSync(path.join(folder, 'hardware.json'), 'utf8'))
  expect(hardware).toMatchObject({
    cpus: 8,
    cards: [
      {
        slots: ['0000:84:00.0'],
        isOnePerSlot: false,
        types: expect.arrayContaining([
          { typeId: 'nvidia-232', name: 'GRID T4-4Q', framebufferMib: 4096, maxInstance: 4 },
        ]),
      },
    ],
  })
})

it('takes the types away with the driver, and brings them back', async () => {
  const { folder, root, look } = openHost()
  const file = path.join(folder, 'host.json')
  const text = readFileSync(file, 'utf8')
  const { cards, ...rest } = JSON.parse(text)
  writeFileSync(file, JSON.stringify({ ...rest, cards: [{ ...cards[0], hasDriver: false }] }))
  look()
  expect((await scanHost({ root })).gpus).toMatchObject([{ driver: null, mdevTypes: null }])
  writeFileSync(file, text)
  look()
  const [gpu] = (await scanHost({ root })).gpus
  expect(gpu?.driver).toBe('nvidia')
  expect(gpu?.mdevTypes?.length).toBeGreaterThan(0)
})

it('shows a card for passthrough under vfio-pci, and so to the fake libvirt', async () => {
  const { folder, root, look } = openHost()
  const file = path.join(folder, 'host.json')
  const { cards, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...rest, cards: [{ ...cards[0], isWhole: true }] }))
  look()
  expect((await scanHost({ root })).gpus).toMatchObject([{ driver: 'vfio-pci', mdevTypes: null }])
  const hardware: unknown = JSON.parse(readFileSync(path.join(folder, 'hardware.json'), 'utf8'))
  expect(hardware).toMatchObject({
    cards: [{ address: '0000:84:00.0', isWhole: true, deviceId: '1eb8', slots: [] }],
  })
})

it('offers the VFs of vendor VFIO with their types, and keeps a type that was written in the tree', async () => {
  const { folder, root, look, writeHypervisor, writes } = openHost()
  const [vf, other] = ['0000:41:00.4', '0000:41:00.5']
  const card = {
    model: 'L40S',
    address: '0000:41:00.0',
    numaNode: 0,
    enabledVfs: 2,
    interface: 'vendor-vfio',
  }
  const file = path.join(folder, 'host.json')
  const { cards: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...rest, cards: [{ ...card, vfTypes: { [vf]: 'nvidia-1152' } }] }))
  look()
  const hardware: unknown = JSON.parse(readFileSync(path.join(folder, 'hardware.json'), 'utf8'))
  expect(hardware).toMatchObject({ cards: [{ hasSriov: true, slots: [], vfs: [vf, other] }] })
  writeFileSync(path.join(root, 'sys/bus/pci/devices', other, 'nvidia/current_vgpu_type'), '1152\n')
  look()
  writeHypervisor({ guests: [{ ...guest(true), mdevs: [], pciDevices: [vf] }], mdevs: [] })
  look()
  const inventory = await scanHost({ root })
  const types = inventory.gpus.flatMap(({ virtualFunctions }) =>
    virtualFunctions.map((one) => one.vendorVfio?.currentType),
  )
  expect(types).toEqual([1152, 1152])
  expect(writes()).toEqual([])
})

it('shows the agent the mdevs and guests that the fake libvirt has, and leaves nova.conf unchanged', async () => {
  const { root, look, writeHypervisor } = openHost()
  writeHypervisor({ guests: [guest(true)], mdevs: [mdev(false)] })
  look()
  const inventory = await scanHost({ root })
  expect(inventory.problems).toEqual([])
  expect(inventory.mdevs).toMatchObject([{ uuid: MDEV, typeId: 'nvidia-232', parent: '0000:84:00.0' }])
  expect(inventory.guests).toMatchObject([
    { uuid: GUEST, state: 'running', nova: { serverName: 'vm1' }, mdevs: [{ uuid: MDEV, isLive: true }] },
  ])
  expect(inventory.novaConfig?.options).toMatchObject([{ value: 'nvidia-232' }])
  writeHypervisor({ guests: [guest(false)], mdevs: [mdev(false)] })
  look()
  expect((await scanHost({ root })).guests).toMatchObject([{ state: 'shutoff', livePath: null }])
})

it('forwards a removed mdev, and waits until the fake libvirt has read it', () => {
  const { folder, root, look, writeHypervisor, writes } = openHost()
  writeHypervisor({ guests: [], mdevs: [mdev(false)] })
  look()
  const at = path.join(root, 'sys/class/mdev_bus/0000:84:00.0', MDEV)
  writeFileSync(path.join(at, 'remove'), '1')
  look()
  expect(writes()).toEqual([{ kind: 'removed', uuid: MDEV }])
  // The state that the fake libvirt still has must not bring it back.
  writeHypervisor({ guests: [], mdevs: [mdev(true)] })
  look()
  expect(existsSync(at)).toBe(false)
  for (const name of readdirSync(path.join(folder, 'tree-writes')))
    rmSync(path.join(folder, 'tree-writes', name))
  look()
  expect(existsSync(at)).toBe(true)
})

it('forwards an undefined mdev', () => {
  const { root, look, writeHypervisor, writes } = openHost({ release: '2025.1' })
  writeHypervisor({ guests: [], mdevs: [mdev(true)] })
  look()
  const definition = path.join(root, 'etc/mdevctl.d/0000:84:00.0', MDEV)
  expect(existsSync(definition)).toBe(true)
  rmSync(definition)
  look()
  expect(writes()).toEqual([{ kind: 'undefined', uuid: MDEV }])
})

it('forwards a definition that is written', () => {
  const { root, look, writeHypervisor, writes } = openHost({ release: '2025.1' })
  writeHypervisor({ guests: [], mdevs: [mdev(false)] })
  look()
  const folder = path.join(root, 'etc/mdevctl.d/0000:84:00.0')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, MDEV), '{"mdev_type": "nvidia-232", "start": "auto"}')
  look()
  expect(writes()).toEqual([
    { kind: 'defined', uuid: MDEV, slot: '0000:84:00.0', typeId: 'nvidia-232', isAuto: true },
  ])
})

it('shows when the real nova-compute was started, while it runs, and how to restart it', async () => {
  const { folder, root, look } = openHost()
  const pidFile = path.join(folder, 'compute.pid')
  const startedAt = async () => (await scanHost({ root })).host.novaCompute?.startedAt
  expect(await startedAt()).toBeUndefined()
  const ticks = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[19]
  writeFileSync(pidFile, `${process.pid} ${ticks}\n`)
  look()
  const started = Date.now() - performance.now()
  expect(Math.abs(Date.parse((await startedAt()) ?? '') - started)).toBeLessThan(60_000)
  expect(readFileSync(path.join(root, '.sliceboard/restart-nova-compute'), 'utf8')).toBe('#!/bin/sh\n')
  writeFileSync(pidFile, `${process.pid} 1\n`)
  look()
  expect(await startedAt()).toBeUndefined()
})

it('refuses to remove the mdev of a running guest', () => {
  const { root, look, writeHypervisor, writes } = openHost()
  writeHypervisor({ guests: [guest(true)], mdevs: [mdev(false)] })
  look()
  const trigger = path.join(root, 'sys/bus/mdev/devices', MDEV, 'remove')
  writeFileSync(trigger, '1')
  look()
  expect(writes()).toEqual([])
  expect(readFileSync(trigger, 'utf8')).toBe('')
})

it('reports what is wrong with host.json and keeps the tree', () => {
  const { folder, root, look, lines } = openHost()
  const host = path.join(folder, 'host.json')
  writeFileSync(host, readFileSync(host, 'utf8').replace('"T4"', '"T5"'))
  look()
  expect(lines[0]).toMatch(/cards\.0\.model must be one of .*T4/)
  expect(existsSync(path.join(root, 'sys/class/mdev_bus/0000:84:00.0'))).toBe(true)
})
