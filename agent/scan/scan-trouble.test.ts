import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { scanFixture, temporaryRoot } from '@/agent/testing/scan-fixture'
import { writeContents } from '@/agent/testing/tree'
import { inventorySchema } from '@/lib/schemas/agent/inventory'
import { bundleAgent } from '@/scripts/agent-build/bundle'
import { troubleHost } from '@/simulator/fixtures/trouble-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'

const isRoot = process.getuid?.() === 0
/** The uid of an unprivileged user. */
const UNPRIVILEGED = 65_534

/** Scans as a user who may not read everything: root reads every file, with any mode. */
const scanUnprivileged = async (root: string) => {
  const folder = temporaryRoot()
  const program = path.join(folder, 'agent.mjs')
  await bundleAgent({ entry: 'agent/main.ts', format: 'esm', outfile: program })
  chmodSync(folder, 0o755)
  chmodSync(root, 0o755)
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  const words = [program, 'scan', '--root', root, '--hostname', 'cmp-01']
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    ...identity,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return inventorySchema.parse(JSON.parse(stdout))
}

test('the healthy card, vGPU and guest are reported in spite of the problems', async () => {
  const inventory = await scanFixture(troubleHost)
  expect(inventory.host.name).toBe('cmp-trouble-01')
  expect(inventory.gpus.map(({ address }) => address)).toEqual(['0000:03:00.0', '0000:3b:00.0'])
  expect(inventory.gpus[1]?.mdevTypes).toHaveLength(17)
  expect(inventory.mdevs?.map(({ parent, typeId, isActive }) => [parent, typeId, isActive]).sort()).toEqual([
    ['0000:3b:00.0', null, true],
    ['0000:3b:00.0', 'nvidia-232', true],
  ])
  expect(inventory.guests?.map(({ name, nova }) => [name, nova?.serverName]).sort()).toEqual([
    ['instance-0000000a', 'survivor'],
    ["odd <name> & 'quotes'", 'Zoë’s “box” & <b>'],
  ])
  expect(inventory.novaConfig?.options.find(({ name }) => name === 'enabled_mdev_types')?.value).toBe(
    'nvidia-232',
  )
  const index = inventory.vgpuTypes.findIndex(({ typeId }) => typeId === 'nvidia-234')
  expect(inventory.gpus[1]?.mdevTypes?.find(([at]) => at === index)?.[1]).toBeNull()
})

test('each trouble is a problem with its source and reason', async () => {
  const { problems, mdevs } = await scanFixture(troubleHost)
  const typeless = mdevs?.find(({ typeId }) => typeId === null)?.uuid
  const readable = problems.filter(({ code }) => code !== 'permission')
  expect(readable.map(({ source, code }) => `${code} ${source}`)).toEqual([
    'odd-name /etc/libvirt/qemu',
    'malformed /etc/libvirt/qemu/empty.xml',
    'refused /etc/libvirt/qemu/instance-0000000d.xml',
    'odd-name /etc/mdevctl.d/0000:3b:00.0/not json',
    'malformed /run/libvirt/qemu/instance-0000000c.xml',
    'odd-name /sys/bus/mdev/devices',
    `incomplete /sys/bus/mdev/devices/${typeless}/mdev_type`,
    'dangling /sys/bus/mdev/devices/9f3d2c1b-0000-4000-8000-00000000dead',
    'malformed /sys/bus/pci/devices/0000:3b:00.0/mdev_supported_types/nvidia-234/available_instances',
    'dangling /sys/bus/pci/devices/0000:d8:00.0',
    'command-failed nvidia-smi -q',
  ])
  for (const { message } of problems) expect(message).toMatch(/^[^\n]+\.$/)
})

describe('no permission', () => {
  test('unreadable files are reported; the GPUs are complete', async () => {
    const root = path.join(temporaryRoot(), 'host')
    mkdirSync(root)
    writeHostTree(root, troubleHost)
    chmodSync(path.dirname(root), 0o755)
    const { gpus, guests, mdevs, novaConfig, problems, vgpuTypes } = await scanUnprivileged(root)
    const denied = problems.filter(({ code }) => code === 'permission').map(({ source }) => source)
    expect(denied).toContain('/etc/nova/nova.conf.d')
    expect(denied).toContain('/sys/bus/pci/devices/0000:3b:00.0/mdev_supported_types/nvidia-233/name')
    expect(gpus.map(({ address }) => address)).toContain('0000:3b:00.0')
    expect(vgpuTypes.find(({ typeId }) => typeId === 'nvidia-233')?.name).toBeNull()
    expect(mdevs).toHaveLength(2)
    if (!isRoot) return
    // The tree is root's: as on a host, guest XML and nova.conf are closed to everybody else.
    expect(denied).toContain('/etc/nova/nova.conf')
    expect(denied).toContain('/run/libvirt/qemu/instance-0000000a.xml')
    expect([guests, novaConfig]).toEqual([null, null])
    expect(problems.find(({ source }) => source === '/etc/nova/nova.conf')?.message).toBe(
      '/etc/nova/nova.conf may not be read (EACCES); run the agent as root or give it CAP_DAC_READ_SEARCH.',
    )
  })

  test('a closed folder of guests or mdevs is unknown, not empty', async () => {
    const root = path.join(temporaryRoot(), 'host')
    writeContents(root, {
      '/sys/bus/mdev/devices/x': '',
      '/run/libvirt/qemu/a.xml': '<domain/>',
      '/etc/hostname': 'x',
    })
    chmodSync(path.dirname(root), 0o755)
    for (const closed of ['/sys/bus/mdev/devices', '/run/libvirt/qemu'])
      chmodSync(path.join(root, closed), 0o000)
    const { guests, mdevs, problems } = await scanUnprivileged(root)
    for (const closed of ['/sys/bus/mdev/devices', '/run/libvirt/qemu'])
      chmodSync(path.join(root, closed), 0o755)
    expect([guests, mdevs]).toEqual([null, null])
    expect(problems.filter(({ code }) => code === 'permission').map(({ source }) => source)).toEqual([
      '/run/libvirt/qemu',
      '/sys/bus/mdev/devices',
    ])
  })
})
