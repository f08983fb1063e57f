import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { aliasUse } from './alias-use'

it('lists the projects and aliases with most devices, by alias, and counts all', () => {
  const { facts, ...input } = t4Cloud()
  const [server] = facts.servers.value ?? []
  if (server === undefined) throw new Error('the cloud has a server')
  const servers = ['b:1', 'a:1', 'b:4', 'a:2'].map((alias, index) => ({
    ...server,
    uuid: `server-${index}`,
    projectId: `p${index}`,
    extraSpecs: { 'pci_passthrough:alias': alias },
  }))
  const found = aliasUse(joinFleet({ ...input, facts: { ...facts, servers: readPart(servers) } }), 2)
  expect(found?.total).toBe(4)
  expect(found?.uses.map(({ projectId, alias, devices }) => [projectId, alias, devices])).toEqual([
    ['p3', 'a', 2],
    ['p2', 'b', 4],
  ])
})
