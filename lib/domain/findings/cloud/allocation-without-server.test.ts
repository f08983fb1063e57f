import { expect, it } from 'vitest'
import { editList, findOne, gapsOf, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart, silentPart } from '@/lib/domain/testing/build-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'allocation-without-server'
const UUID = uuidOf(0x80_0000)
const unknown = () => editList(t4Cloud(), 'servers', (server) => (server.uuid === UUID ? null : server))

it('an allocation of a server that Nova does not know', () => {
  const finding = findOne(unknown(), CODE)
  expect(sentences(unknown())).toHaveLength(1)
  expect(finding).toMatchObject({
    sourceToCorrect: 'placement',
    subject: { kind: 'server', uuid: UUID, host: 'cmp-1' },
    command: `openstack resource provider allocation delete ${UUID}`,
  })
  expect(finding.nextStep).toContain('instance-0')
})

it('held by a migration is no finding', () => {
  const migration = {
    uuid: UUID,
    serverUuid: uuidOf(1),
    type: 'resize' as const,
    status: 'finished',
    sourceHost: 'cmp-1',
    destinationHost: 'cmp-2',
  }
  expect(sentences(withFacts(unknown(), { migrations: readPart([migration]) }))).toEqual([])
})

it('is unknown without the list of servers', () => {
  expect(gapsOf(withFacts(t4Cloud(), { servers: silentPart() }), CODE)).toHaveLength(1)
})
