import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WhatIf } from '@/lib/schemas/api/what-if'
import { TriedSteps } from './tried-steps'

const DATA: WhatIf = {
  cloud: 'paris-prod',
  today: null,
  choices: { types: [], hosts: [], aggregates: [] },
  outcomes: [{ problem: 'No host is called so.', targets: [], moving: 0, text: null }],
  types: [],
  aggregates: [],
  aggregateCount: 0,
  flavors: null,
  flavorCount: 0,
  because: null,
  gap: null,
}

const drawn = (isCounted: boolean): string =>
  renderToStaticMarkup(
    <TriedSteps
      steps={[{ do: 'remove', hosts: ['cmp-1'] }]}
      data={DATA}
      isCounted={isCounted}
      cloud={null}
      onRemove={() => undefined}
    />,
  )

test('until steps are counted this is stated, and no outcome of others is shown', () => {
  expect(drawn(true)).toContain('No host is called so.')
  expect(drawn(true)).not.toContain('Calculating')
  expect(drawn(false)).toContain('Calculating')
  expect(drawn(false)).not.toContain('No host is called so.')
})
