import { expect, it } from 'vitest'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { badNames, planOfSetUp, proposedInput, withText } from './set-up-input'

type Needed = LimitSetUp['needed'][number]

const needed = (resourceName: string, rest: Partial<Needed> = {}): Needed => ({
  resourceName,
  flavor: null,
  registered: null,
  withoutRegion: null,
  means: { kind: 'number', value: 0, origin: 'missing' },
  proposed: 0,
  because: 'none',
  ...rest,
})

const SET_UP = {
  user: 'nova',
  domainId: null,
  needed: [
    needed('class:VGPU'),
    needed('servers', { registered: 10, proposed: null }),
    needed('class:DISK_GB', { proposed: null }),
  ],
  proposals: [
    { resourceName: 'class:VGPU', projectId: 'a', value: 4 },
    { resourceName: 'servers', projectId: 'b', value: 20 },
    { resourceName: 'class:DISK_GB', projectId: 'b', value: 7 },
  ],
}

it('what is proposed is planned, with limits of what is registered then', () => {
  expect(planOfSetUp('paris', SET_UP, proposedInput(SET_UP))).toEqual({
    cloud: 'paris',
    kind: 'limits',
    limits: [
      { resourceName: 'class:VGPU', projectId: null, value: 0 },
      { resourceName: 'class:VGPU', projectId: 'a', value: 4 },
      { resourceName: 'servers', projectId: 'b', value: 20 },
    ],
    setUp: { user: 'nova', domainId: null, removesStrays: false },
  })
})

it('a name that is left out takes the limits of projects with it', () => {
  const input = { ...withText(proposedInput(SET_UP), 'class:VGPU', ''), left: ['b'] }
  expect(planOfSetUp('paris', SET_UP, input).limits).toEqual([])
})

it('names what is no limit', () => {
  expect(badNames(withText(proposedInput(SET_UP), 'class:VGPU', 'many'))).toEqual(['class:VGPU'])
  expect(badNames(proposedInput(SET_UP))).toEqual([])
})
