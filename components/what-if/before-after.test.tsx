import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WhatIf } from '@/lib/schemas/api/what-if'
import { FlavorsBeforeAfter } from './before-after'

const FLAVOR = { id: 'f1', name: 'vgpu.t4-4q', fits: { before: 6, after: 6 }, byAggregate: [] }
const DATA: WhatIf = {
  cloud: 'paris-prod',
  today: null,
  choices: { types: [], hosts: [], aggregates: [] },
  outcomes: [],
  types: [],
  aggregates: [],
  flavors: null,
  because: null,
  gap: null,
}
const told = (flavors: WhatIf['flavors'], isTried: boolean): string =>
  renderToStaticMarkup(<FlavorsBeforeAfter data={{ ...DATA, flavors }} isTried={isTried} />)

test('that no flavor fits more or fewer is said once something is tried', () => {
  const words = 'No flavor would fit more or fewer servers.'
  expect(told([FLAVOR], true)).toContain(words)
  expect(told([FLAVOR], false)).not.toContain(words)
  expect(told([{ ...FLAVOR, fits: { before: 6, after: 2 } }, FLAVOR], true)).not.toContain(words)
  expect(told([{ ...FLAVOR, byAggregate: [{ name: 'gpu', more: -1 }] }], true)).not.toContain(words)
})
