import { expect, test } from 'vitest'
import { scanTree } from '@/agent/testing/scan-fixture'
import { type TreeContents, treeWith } from '@/agent/testing/tree'

const TYPES = '[devices]\nenabled_mdev_types = nvidia-222\n'
const HOST: TreeContents = {
  '/proc/sys/kernel/hostname': 'cmp-01\n',
  '/sys/bus/pci/devices': { folder: 0o755 },
}
const PACKAGE: TreeContents = { '/etc/nova/nova.conf': TYPES, '/etc/nova/nova-compute.conf': TYPES }
const PATH = '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf'

const dropInOf = async (contents: TreeContents, novaConfigFolder?: string) => {
  const { root } = treeWith({ ...HOST, ...contents })
  const { novaConfig } = await scanTree(root, { allowedCommands: ['write-nova-config'], novaConfigFolder })
  return novaConfig?.dropIn
}

test('a drop-in is read after the files where nova-compute has no --config-file, and before them on Debian', async () => {
  expect(await dropInOf(PACKAGE)).toEqual({ path: PATH, place: 2 })
  const debian = { ...PACKAGE, '/etc/init.d/nova-compute': '#!/bin/sh\n' }
  expect(await dropInOf(debian)).toEqual({ path: PATH, place: 0 })
  expect(await dropInOf({ ...debian, '/etc/nova/nova.conf.d/50-a.conf': TYPES, [PATH]: TYPES })).toEqual({
    path: PATH,
    place: 1,
  })
})

test('one in a folder that nova-compute does not read has no place', async () => {
  const kolla = { '/etc/kolla/nova-compute/nova.conf': TYPES, '/etc/nova/nova.conf.d': { folder: 0o755 } }
  expect(await dropInOf(kolla)).toEqual({ path: PATH, place: null })
  expect((await dropInOf(PACKAGE, '/etc/nova/elsewhere/'))?.place).toBeNull()
  expect(await dropInOf(PACKAGE, '/etc/nova/nova-compute.conf.d/')).toEqual({
    path: '/etc/nova/nova-compute.conf.d/99-sliceboard-mdev.conf',
    place: 2,
  })
})

test('a host that does not allow writing it reports no drop-in', async () => {
  const { root } = treeWith({ ...HOST, ...PACKAGE })
  const { novaConfig } = await scanTree(root, { allowedCommands: ['remove-mdev'] })
  expect(novaConfig).not.toHaveProperty('dropIn')
})
