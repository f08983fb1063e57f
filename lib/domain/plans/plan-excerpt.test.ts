import { expect, it } from 'vitest'
import { planExcerpt } from './plan-excerpt'

const on = (...hosts: (string | null)[]) => hosts.map((host, position) => ({ host, position }))
const positions = (steps: readonly { position: number }[]) => steps.map(({ position }) => position)

it('is the whole of a small plan', () => {
  expect(positions(planExcerpt(on(null, 'a', 'b'), 3))).toEqual([0, 1, 2])
})

it('is what is done on the first host and on no host, of a large plan', () => {
  expect(positions(planExcerpt(on(null, 'a', 'b', 'a', null, 'b'), 5))).toEqual([0, 1, 3, 4])
  expect(positions(planExcerpt(on(null, 'a', 'a', 'a'), 2))).toEqual([0, 1])
  expect(positions(planExcerpt(on(null, null, null), 2))).toEqual([0, 1])
})
