import { chmodSync, lchownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { troubleHost } from '@/simulator/fixtures/trouble-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { createLivingHost } from './living-host'

const NOBODY = 65_534
const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) removeTree(root)
})

const giveAway = (directory: string): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAway(path.join(directory, entry.name))
    lchownSync(path.join(directory, entry.name), NOBODY, NOBODY)
  }
}

/** As somebody whom modes bind: tests may run as root, who reads everything. */
const asOrdinaryUser = (root: string, work: () => void): void => {
  if (process.getuid?.() !== 0) {
    work()
    return
  }
  giveAway(root)
  lchownSync(root, NOBODY, NOBODY)
  process.seteuid?.(NOBODY)
  try {
    work()
  } finally {
    process.seteuid?.(0)
  }
}

/** A host of the demo: its nova-compute runs, so its files are looked at. */
const spec: HostSpec = {
  ...troubleHost,
  nova: { ...troubleHost.nova, process: { pid: 4711, startedAtMs: 0, failure: null } },
}

it('lives on for an ordinary user beside files and folders of a host that nobody may read', () => {
  const root = makeTemporaryDirectory('closed-files')
  roots.push(root)
  writeHostTree(root, spec)
  const { uuid: newUuid } = createRandom(7)
  asOrdinaryUser(root, () => {
    expect(() => readdirSync(path.join(root, 'etc/nova/nova.conf.d'))).toThrow('EACCES')
    const host = createLivingHost({
      root,
      spec,
      now: () => new Date('2026-11-21T12:00:00Z'),
      newUuid,
    })
    host.applyWrites()
    expect(host.spec().nova).toEqual(spec.nova)

    const conf = path.join(root, 'etc/nova/nova.conf')
    const text = readFileSync(conf, 'utf8')
    chmodSync(conf, 0)
    host.applyWrites()
    expect(host.spec().nova).toEqual(spec.nova)

    chmodSync(conf, 0o640)
    writeFileSync(conf, `${text}\n# by hand\n`)
    host.applyWrites()
    expect(host.spec().nova.files?.find((file) => file.path === '/etc/nova/nova.conf')?.text).toContain(
      '# by hand',
    )
    reconcileHostTree(root, host.spec())
  })
})
