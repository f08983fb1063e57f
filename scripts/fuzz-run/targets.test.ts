import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkInput } from './check-input'
import { createBelow, mutate } from './mutate'
import { FUZZ_TARGETS } from './targets'

/** A short form of `npm run test:fuzz`, without coverage: enough to see that each target reads and refuses. */
const RUNS = 25

describe.each(FUZZ_TARGETS)('$name', (target) => {
  test('reads what it is made for', async () => {
    const seeds = target.seeds()
    expect(seeds.length).toBeGreaterThan(0)
    for (const seed of seeds) expect(await checkInput(target, seed)).toBeNull()
  })

  test('reads or refuses any other input', async () => {
    const seeds = target.seeds()
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.string({ maxLength: 40 }), async (seed, which, other) => {
        const text = mutate({ text: seeds[which % seeds.length] ?? '', other, below: createBelow(seed) })
        expect(await checkInput(target, text)).toBeNull()
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the check of an input', () => {
  const target = (read: (text: string) => unknown) => ({
    name: 'test',
    seeds: () => [''],
    read,
    isRefusal: (error: unknown) => error instanceof SyntaxError,
  })

  test('takes a refusal, and finds any other error', async () => {
    expect(await checkInput(target(JSON.parse), '{')).toBeNull()
    expect(await checkInput(target(decodeURIComponent), '%')).toMatch(/URIError/)
  })

  test('finds a value that was put in place of a prototype', async () => {
    const assign = (text: string) => {
      const made: Record<string, unknown> = {}
      for (const [key, value] of Object.entries(JSON.parse(text) as object)) made[key] = value
      return [made]
    }
    expect(await checkInput(target(assign), '{"a":{"b":1}}')).toBeNull()
    expect(await checkInput(target(assign), '{"__proto__":{"b":1}}')).toMatch('prototype of what was read')
  })

  test('finds a changed shared prototype', async () => {
    const pollute = () =>
      Object.defineProperty(Array.prototype, 'isPolluted', { value: true, configurable: true })
    expect(await checkInput(target(pollute), '')).toMatch('a shared prototype was changed')
    Reflect.deleteProperty(Array.prototype, 'isPolluted')
  })
})
