import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { troubleHost } from '@/simulator/fixtures/trouble-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { createLivingHost, type LivingHost } from './living-host'

const NOBODY = 65_534
const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) removeTree(root)
})

/** `work` with a host of an unprivileged user: tests may run as root, who reads everything. */
const asOrdinaryUser = (spec: HostSpec, work: (host: LivingHost) => void): void => {
  const root = makeTemporaryDirectory('closed-files')
  roots.push(root)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chownSync(root, NOBODY, NOBODY)
    process.seteuid?.(NOBODY)
  }
  try {
    writeHostTree(root, spec)
    const { uuid: newUuid } = createRandom(7)
    work(createLivingHost({ root, spec, now: () => new Date('2026-11-21T12:00:00Z'), newUuid }))
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

/** As in the demo: its nova-compute runs, so its files are checked. */
const running = (spec: HostSpec): HostSpec => ({
  ...spec,
  nova: { ...spec.nova, process: { pid: 4711, startedAtMs: 0, failure: null } },
})

it('works for an ordinary user when the host has unreadable files and folders', () => {
  const spec = running(troubleHost)
  asOrdinaryUser(spec, (host) => {
    expect(() => readdirSync(path.join(host.root, 'etc/nova/nova.conf.d'))).toThrow('EACCES')
    expect(host.applyWrites()).toBe(0)

    const conf = path.join(host.root, 'etc/nova/nova.conf')
    const text = readFileSync(conf, 'utf8')
    chmodSync(conf, 0)
    expect(host.applyWrites()).toBe(0)

    chmodSync(conf, 0o640)
    writeFileSync(conf, `${text}\n# by hand\n`)
    expect(host.applyWrites()).toBe(1)
    reconcileHostTree(host.root, host.spec())
  })
})

it('sees what an ordinary user writes into files that can only be written', () => {
  const UUID = 'c0ffee00-0000-4000-8000-000000000001'
  asOrdinaryUser(running(t4SeedHost), (host) => {
    const card = '/sys/class/mdev_bus/0000:18:00.0'
    const mdev = path.join(host.root, '/sys/bus/mdev/devices', UUID)
    writeFileSync(path.join(host.root, card, 'mdev_supported_types/nvidia-222/create'), `${UUID}\n`)
    host.applyWrites()
    expect(existsSync(mdev)).toBe(true)
    writeFileSync(path.join(mdev, 'remove'), '1\n')
    host.applyWrites()
    expect(existsSync(mdev)).toBe(false)
  })
})
