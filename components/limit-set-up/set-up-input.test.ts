import { expect, it } from 'vitest'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { badNames, isIncluded, planOfSetUp, proposedInput, withProject, withText } from './set-up-input'

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
}

it('what is proposed is planned, with limits of every project', () => {
  expect(planOfSetUp('paris', SET_UP, proposedInput(SET_UP))).toEqual({
    cloud: 'paris',
    kind: 'limits',
    limits: [{ resourceName: 'class:VGPU', projectId: null, value: 0 }],
    setUp: { user: 'nova', domainId: null, removesStrays: false, projects: { except: [] } },
  })
})

it('a name that is left out is not registered', () => {
  const input = withText(proposedInput(SET_UP), 'class:VGPU', '')
  expect(planOfSetUp('paris', SET_UP, input).limits).toEqual([])
})

it('a project can be left out and included again, of all projects or of some', () => {
  const all = proposedInput(SET_UP)
  for (const input of [all, { ...all, projects: ['a', 'b'] }]) {
    const without = withProject(input, 'b', false)
    expect([isIncluded(without, 'a'), isIncluded(without, 'b')]).toEqual([true, false])
    expect(withProject(without, 'b', true)).toEqual(input)
  }
  expect(planOfSetUp('paris', SET_UP, withProject(all, 'b', false)).setUp?.projects).toEqual({
    except: ['b'],
  })
  const some = planOfSetUp('paris', SET_UP, { ...all, projects: ['a'] })
  expect(some.setUp?.projects).toEqual({ only: ['a'] })
})

it('names what is no limit', () => {
  expect(badNames(withText(proposedInput(SET_UP), 'class:VGPU', 'many'))).toEqual(['class:VGPU'])
  expect(badNames(proposedInput(SET_UP))).toEqual([])
})
