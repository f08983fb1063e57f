import { expect, it } from 'vitest'
import { editHosts, editList, findOne, gapsOf, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'allocation-without-guest'
const UUID = uuidOf(0x80_0000)
const noGuest = () =>
  editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    guests: (inventory.guests ?? []).filter((guest) => guest.uuid !== UUID),
  }))

it('a guest that is gone is libvirt’s fault', () => {
  expect(findOne(noGuest(), CODE)).toMatchObject({
    sourceToCorrect: 'libvirt',
    subject: { kind: 'server', uuid: UUID },
    command: `openstack server migrate --wait ${UUID} && openstack server migration confirm ${UUID}`,
  })
})

it('a guest without a vGPU', () => {
  const input = editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    guests: (inventory.guests ?? []).map((guest) => (guest.uuid === UUID ? { ...guest, mdevs: [] } : guest)),
  }))
  expect(findOne(input, CODE).sentence).toContain('but its guest has no vGPU')
})

it('a server that runs elsewhere leaves an allocation: Placement errs', () => {
  const input = editList(noGuest(), 'servers', (server) =>
    server.uuid === UUID ? { ...server, host: 'cmp-9' } : server,
  )
  expect(findOne(input, CODE)).toMatchObject({
    sourceToCorrect: 'placement',
    command: expect.stringMatching(/allocation unset --provider [0-9a-f-]{36} --provider [0-9a-f-]{36} /),
  })
})

it('is no finding while the server is on its way or younger than the report', () => {
  const building = editList(noGuest(), 'servers', (server) => ({
    ...server,
    status: 'BUILD',
    taskState: 'spawning',
  }))
  const young = editList(noGuest(), 'servers', (server) => ({
    ...server,
    createdAt: '2026-11-21T09:59:55.000Z',
  }))
  for (const input of [building, young])
    expect(sentences(input).filter((text) => text.startsWith(CODE))).toEqual([])
})

it('is unknown where the guests were not read', () => {
  const input = editHosts(t4Cloud(), (inventory) => ({ ...inventory, guests: null }))
  expect(gapsOf(input, CODE)).toEqual(['cmp-1: the guests could not be read'])
})
