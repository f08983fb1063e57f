import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WhatIf } from '@/lib/schemas/api/what-if'
import { FlavorsBeforeAfter } from './before-after'

const FLAVOR = {
  id: 'f1',
  name: 'vgpu.t4-4q',
  fits: { before: 6, after: 6 },
  byAggregate: [],
  moreAggregates: 0,
}
const DATA: WhatIf = {
  cloud: 'paris-prod',
  today: null,
  choices: { types: [], hosts: [], aggregates: [] },
  outcomes: [],
  types: [],
  aggregates: [],
  aggregateCount: 0,
  flavors: null,
  flavorCount: 0,
  because: null,
  gap: null,
}
const markup = (flavors: WhatIf['flavors'], isTried: boolean): string =>
  renderToStaticMarkup(<FlavorsBeforeAfter data={{ ...DATA, flavors }} isTried={isTried} />)

test('an unchanged fit of all flavors is stated once there is a step', () => {
  const words = 'No flavor fits more or fewer servers.'
  expect(markup([FLAVOR], true)).toContain(words)
  expect(markup([FLAVOR], false)).not.toContain(words)
  expect(markup([{ ...FLAVOR, fits: { before: 6, after: 2 } }, FLAVOR], true)).not.toContain(words)
  expect(markup([{ ...FLAVOR, byAggregate: [{ name: 'gpu', more: -1 }] }], true)).not.toContain(words)
})

test('the rows and aggregates that the answer leaves out are counted', () => {
  const flavors = [{ ...FLAVOR, byAggregate: [{ name: 'gpu', more: -1 }], moreAggregates: 3 }]
  const whole = renderToStaticMarkup(
    <FlavorsBeforeAfter data={{ ...DATA, flavors, flavorCount: 1 }} isTried />,
  )
  expect(whole).toContain('gpu -1 and 3 more aggregates')
  expect(whole).not.toContain('are listed')
  const part = renderToStaticMarkup(
    <FlavorsBeforeAfter data={{ ...DATA, flavors, flavorCount: 800 }} isTried />,
  )
  expect(part).toContain('Only the 1 with the largest changes of 800 are listed.')
})
