import { expect, test } from 'vitest'
import type { UnmeasuredReason } from '../utilization/judge-idle'
import { countUnmeasured, unmeasuredText, whyNoneMeasured, whyUnmeasuredText } from './unmeasured-idle'

const unmeasured = (...reasons: UnmeasuredReason[]) => countUnmeasured(reasons.map((reason) => ({ reason })))

test('reasons are counted, the most first', () => {
  const counts = unmeasured('gaps', 'not-measured', 'not-measured', 'too-short')
  expect(counts).toEqual([
    { reason: 'not-measured', vgpus: 2 },
    { reason: 'gaps', vgpus: 1 },
    { reason: 'too-short', vgpus: 1 },
  ])
  expect(unmeasuredText(counts)).toBe(
    '2 not measured, 1 measured less than half of the time, 1 not measured for so long yet',
  )
})

test('a single reason has no separate number', () => {
  expect(whyUnmeasuredText(unmeasured('not-measured', 'not-measured'))).toBe('not measured')
  expect(whyUnmeasuredText(unmeasured('not-measured', 'gaps'))).toBe(
    '1 not measured, 1 measured less than half of the time',
  )
})

test('that no agent reported is stated only if nothing else shows that one did', () => {
  const none = { held: 2, unmeasured: unmeasured('not-measured', 'not-measured') }
  expect(whyNoneMeasured({ ...none, measuredPgpus: 0 })).toBe('no agent reported utilization')
  expect(whyNoneMeasured({ ...none, measuredPgpus: 30 })).toBe(
    'agents reported utilization of pGPUs and of none of the 2 held vGPUs',
  )
  expect(whyNoneMeasured({ held: 2, unmeasured: unmeasured('not-lately', 'gaps'), measuredPgpus: 0 })).toBe(
    'none of the 2 held vGPUs can be judged: 1 not measured at the end, 1 measured less than half of the time',
  )
})
