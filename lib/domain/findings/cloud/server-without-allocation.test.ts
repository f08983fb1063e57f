import { expect, it } from 'vitest'
import { editList, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'server-without-allocation'
const UUID = uuidOf(0x80_0000)
const unallocated = () =>
  editList(t4Cloud(), 'allocations', (entry) => (entry.consumerUuid === UUID ? null : entry))

it('a guest has a vGPU that Placement allocates again', () => {
  expect(sentences(unallocated())).toHaveLength(1)
  expect(findOne(unallocated(), CODE)).toMatchObject({
    severity: 'error',
    sourceToCorrect: 'placement',
    subject: { kind: 'server', uuid: UUID },
    command: expect.stringMatching(/allocation set --project-id .* --allocation 'rp=[0-9a-f-]{36},VGPU=1' /),
  })
})

it('is no finding in the middle of a move', () => {
  expect(
    sentences(editList(unallocated(), 'servers', (server) => ({ ...server, status: 'VERIFY_RESIZE' }))),
  ).toEqual([])
})
