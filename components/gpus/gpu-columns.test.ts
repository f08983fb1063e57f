import { expect, test } from 'vitest'
import { placementWord } from './gpu-columns'

test('Placement that agrees with the hardware is not shown', () => {
  expect(placementWord({ capacity: 12, advertised: 12, advertisedUsed: 3 })).toBeNull()
})

test('more than fit is marked, less is not', () => {
  expect(placementWord({ capacity: 12, advertised: 32, advertisedUsed: 9 })).toEqual({
    text: 'Placement 32',
    rest: 'advertised, 9 of them allocated; 12 fit',
    isMore: true,
  })
  expect(placementWord({ capacity: 12, advertised: 0, advertisedUsed: 0 })).toMatchObject({
    text: 'Placement 0',
    isMore: false,
  })
})

test('unknown is a dash with words, never 0', () => {
  expect(placementWord({ capacity: 12, advertised: null, advertisedUsed: null })).toEqual({
    text: 'Placement –',
    rest: 'its inventory is unknown',
    isMore: false,
  })
})

test('with an unknown capacity only what is advertised is shown', () => {
  expect(placementWord({ capacity: null, advertised: 0, advertisedUsed: 0 })).toBeNull()
  expect(placementWord({ capacity: null, advertised: 2, advertisedUsed: null })).toEqual({
    text: 'Placement 2',
    rest: 'advertised, use unknown',
    isMore: false,
  })
})
