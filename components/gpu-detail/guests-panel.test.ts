import { expect, test } from 'vitest'
import type { CellDto } from '@/lib/schemas/api/gpu'
import type { CloudOccupantDto, GpuSources } from '@/lib/schemas/api/sources'
import { heldVgpus } from './guests-panel'

const cell = (guestUuid: string | null): CellDto => ({
  kind: guestUuid === null ? 'free' : 'used',
  mdevUuid: null,
  address: null,
  typeId: null,
  typeName: null,
  occupant:
    guestUuid === null
      ? null
      : {
          guestUuid,
          guestName: 'instance-00000004',
          guestState: 'running',
          serverName: 'render-1',
          flavorName: null,
          projectId: null,
          projectName: null,
          userName: null,
        },
})

const inCloud = (guestUuid: string, source: 'nova' | 'libvirt'): CloudOccupantDto => ({
  guestUuid,
  guestName: 'instance-00000004',
  serverUuid: guestUuid,
  serverName: 'renamed',
  serverStatus: 'ACTIVE',
  projectId: 'p1',
  projectName: 'research',
  flavorName: 'vgpu.t4',
  source,
})

/** Only the occupants are used. */
const sourcesWith = (occupants: CloudOccupantDto[]) =>
  ({ sources: { occupants } }) as Pick<GpuSources, 'sources'>

test('each vGPU in use has the values that Nova reports for its server', () => {
  const held = heldVgpus(
    { cells: [cell('u1'), cell(null), cell('u2')] },
    sourcesWith([inCloud('u2', 'nova')]),
  )
  expect(held.map(({ occupant, inCloud: nova }) => [occupant.guestUuid, nova?.serverName ?? null])).toEqual([
    ['u1', null],
    ['u2', 'renamed'],
  ])
})

test('a name from the guest’s metadata alone is not attributed to Nova', () => {
  const [held] = heldVgpus({ cells: [cell('u1')] }, sourcesWith([inCloud('u1', 'libvirt')]))
  expect(held?.inCloud).toBeNull()
})

test('before the sources are loaded only the guests are shown', () => {
  expect(heldVgpus({ cells: [cell('u1')] }, undefined)).toHaveLength(1)
})
