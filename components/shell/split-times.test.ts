import { expect, test } from 'vitest'
import { splitTimes } from './split-times'

test('times are separate, and the full stop stays in the sentence', () => {
  expect(splitTimes('the providers of 2026-11-21T09:54:37.667Z, since then: no answer.')).toEqual([
    { text: 'the providers of ', isTime: false },
    { text: '2026-11-21T09:54:37.667Z', isTime: true },
    { text: ', since then: no answer', isTime: false },
  ])
})

test('a text of one moment has nothing around it, and one without is whole', () => {
  expect(splitTimes('2026-11-21T09:54:37Z')).toEqual([{ text: '2026-11-21T09:54:37Z', isTime: true }])
  expect(splitTimes('cmp-1 is silent')).toEqual([{ text: 'cmp-1 is silent', isTime: false }])
})
