import { expect, test } from 'vitest'
import type { CellDto } from '@/lib/schemas/api/gpu'
import { describeCell } from './describe-cell'

const occupant = {
  guestUuid: 'a1',
  guestName: 'instance-00000004',
  guestState: 'running',
  serverName: 'train-07',
  flavorName: 'vgpu.t4.16c',
  projectId: 'p1',
  projectName: 'cfd-lab',
  userName: 'marta',
}
const cell: CellDto = {
  kind: 'used',
  mdevUuid: '4b20d080-1b54-4048-85b3-a6a62d165c01',
  address: '0000:f4:00.0',
  typeId: 'nvidia-321',
  typeName: 'T4-16C',
  occupant,
}

test('a used cell is named by its server, with guest, type, project and mdev below', () => {
  expect(describeCell(cell)).toEqual({
    title: 'train-07',
    lines: [
      'T4-16C, guest instance-00000004, running',
      'cfd-lab, vgpu.t4.16c',
      'mdev 4b20d080-1b54-4048-85b3-a6a62d165c01',
    ],
  })
})

test('without Nova’s metadata the guest names the cell', () => {
  const guestOnly = { ...occupant, serverName: null, flavorName: null, projectName: null }
  expect(describeCell({ ...cell, mdevUuid: null, occupant: guestOnly })).toEqual({
    title: 'instance-00000004',
    lines: ['T4-16C, running'],
  })
})

test('a spare cell shows the meaning of its state and its type', () => {
  const { title, lines } = describeCell({ ...cell, kind: 'spare', occupant: null })
  expect(title).toBe('Reusable')
  expect(lines).toContain('T4-16C')
})
