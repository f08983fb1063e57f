import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { a40Host } from '@/simulator/fixtures/a40-host'
import { a100SlidesHost } from '@/simulator/fixtures/a100-slides-host'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { troubleHost } from '@/simulator/fixtures/trouble-host'
import { vendorVfioHost } from '@/simulator/fixtures/vendor-vfio-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { treeOnDisk } from '@/simulator/testing/tree-on-disk'
import { removeGuest, setGuestState } from './change-guests'
import { createLivingHost, type LivingHost } from './living-host'
import { rebooted } from './reboot'

const UUID = 'c0ffee00-0000-4000-8000-000000000001'
const roots: string[] = []

const alive = (spec: HostSpec): LivingHost => {
  const root = makeTemporaryDirectory('living-host')
  roots.push(root)
  writeHostTree(root, spec)
  const random = createRandom(7)
  return createLivingHost({ root, spec, now: () => new Date('2026-11-21T12:00:00Z'), newUuid: random.uuid })
}

afterEach(() => {
  for (const root of roots.splice(0)) removeTree(root)
})

const write = (host: LivingHost, at: string, text: string): void => {
  writeFileSync(path.join(host.root, at), text)
  host.applyWrites()
}

const read = (host: LivingHost, at: string): string => readFileSync(path.join(host.root, at), 'utf8').trim()
const mdevs = (host: LivingHost): string[] => readdirSync(path.join(host.root, '/sys/bus/mdev/devices'))
const typePath = (slot: string, typeId: string): string =>
  `/sys/class/mdev_bus/${slot}/mdev_supported_types/${typeId}`

/** The tree must always be the one that its state would give. */
const expectConsistent = (host: LivingHost): void => {
  const fresh = makeTemporaryDirectory('fresh')
  roots.push(fresh)
  writeHostTree(fresh, host.spec())
  expect(treeOnDisk(host.root)).toEqual(treeOnDisk(fresh))
}

describe('writing into create', () => {
  it('makes the mdev and lowers what is available', () => {
    const host = alive(t4SeedHost)
    write(host, `${typePath('0000:18:00.0', 'nvidia-222')}/create`, `${UUID}\n`)
    expect(mdevs(host)).toContain(UUID)
    expect(read(host, `${typePath('0000:18:00.0', 'nvidia-222')}/available_instances`)).toBe('15')
    expect(read(host, `${typePath('0000:18:00.0', 'nvidia-230')}/available_instances`)).toBe('0')
    expect(read(host, `${typePath('0000:18:00.0', 'nvidia-222')}/create`)).toBe('')
    expectConsistent(host)
  })

  it('does nothing but a line in the log when the driver refuses', () => {
    const host = alive(t4SeedHost)
    const before = mdevs(host)
    write(host, `${typePath('0000:f4:00.0', 'nvidia-222')}/create`, UUID)
    write(host, `${typePath('0000:18:00.0', 'nvidia-222')}/create`, 'no uuid at all')
    expect(mdevs(host)).toEqual(before)
    const log = read(host, '/.sliceboard/kernel.log').split('\n')
    expect(log.map((line) => line.split(' ')[1])).toEqual(['ENOSPC:', 'EINVAL:'])
  })

  it('fills an A40 at the twelfth', () => {
    const host = alive(a40Host)
    for (let index = 0; index < 9; index += 1) {
      const slot = `0000:c1:02.${index % 8}`
      const at = index < 8 ? slot : '0000:c1:03.0'
      write(host, `${typePath(at, 'nvidia-560')}/create`, UUID.replace('01', `${index + 10}`))
    }
    expect(mdevs(host)).toHaveLength(12)
    expect(read(host, `${typePath('0000:c1:03.7', 'nvidia-560')}/available_instances`)).toBe('0')
    expectConsistent(host)
  })
})

describe('writing into remove', () => {
  it('leaves the mdev of a running guest and takes that of a shut-off one', () => {
    const host = alive(t4SeedHost)
    const [uuid = ''] = mdevs(host)
    write(host, `/sys/bus/mdev/devices/${uuid}/remove`, '1')
    expect(mdevs(host)).toEqual([uuid])
    host.attempt(setGuestState(host.spec(), host.spec().guests[0]?.uuid ?? '', 'shutoff'))
    expect(existsSync(path.join(host.root, '/run/libvirt/qemu/instance-00000004.xml'))).toBe(false)
    expect(mdevs(host)).toEqual([uuid])
    write(host, `/sys/bus/mdev/devices/${uuid}/remove`, '1')
    expect(mdevs(host)).toEqual([])
    expect(host.attempt(setGuestState(host.spec(), host.spec().guests[0]?.uuid ?? '', 'running'))).toBe(false)
    expectConsistent(host)
  })

  it('brings a defined mdev back at the next reboot, unless it was undefined too', () => {
    const host = alive(a100SlidesHost)
    const spare =
      mdevs(host).find((uuid) => !host.spec().guests.some((guest) => guest.mdevs.includes(uuid))) ?? ''
    write(host, `/sys/bus/mdev/devices/${spare}/remove`, '1')
    expect(mdevs(host)).toHaveLength(9)
    host.become(rebooted(host.spec()))
    expect(mdevs(host)).toContain(spare)
    write(host, `/sys/bus/mdev/devices/${spare}/remove`, '1')
    const definition = readdirSync(path.join(host.root, '/etc/mdevctl.d')).find((parent) =>
      existsSync(path.join(host.root, '/etc/mdevctl.d', parent, spare)),
    )
    rmSync(path.join(host.root, '/etc/mdevctl.d', definition ?? '', spare))
    host.applyWrites()
    host.become(rebooted(host.spec()))
    expect(mdevs(host)).not.toContain(spare)
    expectConsistent(host)
  })
})

describe('vendor VFIO', () => {
  const current = (slot: string): string => `/sys/bus/pci/devices/${slot}/nvidia/current_vgpu_type`

  it('refuses to take a type from under a running guest and puts the file back', () => {
    const host = alive(vendorVfioHost)
    write(host, current('0000:41:00.4'), '0')
    expect(read(host, current('0000:41:00.4'))).toBe('1152')
    expect(read(host, '/.sliceboard/kernel.log')).toContain('EBUSY')
  })

  it('makes, changes and takes away on an idle VF', () => {
    const host = alive(vendorVfioHost)
    write(host, current('0000:41:01.0'), '1152')
    expect(read(host, current('0000:41:01.0'))).toBe('1152')
    write(host, current('0000:41:01.1'), '1147')
    expect(read(host, current('0000:41:01.1'))).toBe('0')
    write(host, current('0000:41:01.0'), '0')
    expect(read(host, current('0000:41:01.0'))).toBe('0')
    expectConsistent(host)
  })

  it('waits for the text of a file that a shell has opened', () => {
    const host = alive(vendorVfioHost)
    const file = path.join(host.root, current('0000:41:01.0'))
    const opened = openSync(file, 'w')
    expect(host.applyWrites()).toBe(0)
    writeSync(opened, '1152\n')
    closeSync(opened)
    expect(host.applyWrites()).toBe(1)
    expect(read(host, current('0000:41:01.0'))).toBe('1152')
  })
})

it('keeps the mdev of a deleted guest', () => {
  const host = alive(a40Host)
  host.attempt(removeGuest(host.spec(), host.spec().guests[0]?.uuid ?? ''))
  expect(mdevs(host)).toHaveLength(5)
  expectConsistent(host)
})

it('brings a tree of yesterday to the state of today', () => {
  const host = alive(troubleHost)
  reconcileHostTree(host.root, { ...a40Host, name: troubleHost.name })
  const today = alive({ ...a40Host, name: troubleHost.name })
  expect(treeOnDisk(host.root)).toEqual(treeOnDisk(today.root))
  reconcileHostTree(host.root, troubleHost)
  const again = alive(troubleHost)
  expect(treeOnDisk(host.root)).toEqual(treeOnDisk(again.root))
})
