import { expect, test } from 'vitest'
import type { UntoldReason } from '../utilisation/judge-idle'
import { countUntold, untoldWords, whyNoneTold, whyUntoldWords } from './untold-idle'

const untold = (...reasons: UntoldReason[]) => countUntold(reasons.map((reason) => ({ reason })))

test('reasons are counted, the most first', () => {
  const counts = untold('gaps', 'not-measured', 'not-measured', 'too-short')
  expect(counts).toEqual([
    { reason: 'not-measured', vgpus: 2 },
    { reason: 'gaps', vgpus: 1 },
    { reason: 'too-short', vgpus: 1 },
  ])
  expect(untoldWords(counts)).toBe(
    '2 not measured, 1 measured less than half of the time, 1 not measured for so long yet',
  )
})

test('one reason for all stands without the number that is said before it', () => {
  expect(whyUntoldWords(untold('not-measured', 'not-measured'))).toBe('not measured')
  expect(whyUntoldWords(untold('not-measured', 'gaps'))).toBe(
    '1 not measured, 1 measured less than half of the time',
  )
})

test('that no agent reported is said only where nothing else says that one did', () => {
  const none = { held: 2, untold: untold('not-measured', 'not-measured') }
  expect(whyNoneTold({ ...none, measuredPgpus: 0 })).toBe('no agent reported utilisation')
  expect(whyNoneTold({ ...none, measuredPgpus: 30 })).toBe(
    'agents reported utilisation of pGPUs and of none of the 2 held vGPUs',
  )
  expect(whyNoneTold({ held: 2, untold: untold('not-lately', 'gaps'), measuredPgpus: 0 })).toBe(
    'nobody can tell of the 2 held vGPUs: 1 not measured at the end, 1 measured less than half of the time',
  )
})
