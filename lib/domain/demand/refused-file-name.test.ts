import { expect, test } from 'vitest'
import { refusedFileName } from './refused-file-name'

const RANGE = { since: '2026-10-24T13:00:00.000Z', until: '2026-11-23T14:00:00.000Z' }

test.each([
  [null, null, 'sliceboard-paris-prod-refused-2026-10-24-2026-11-23'],
  ['vgpu.t4/8q', null, 'sliceboard-paris-prod-refused-vgpu.t4_8q-2026-10-24-2026-11-23'],
  [null, '', 'sliceboard-paris-prod-refused-unknown-2026-10-24-2026-11-23'],
])('the file of flavor %s and project %s reports of whom it is', (flavor, project, name) => {
  expect(refusedFileName({ cloud: 'paris-prod', flavor, project, ...RANGE })).toBe(name)
})
