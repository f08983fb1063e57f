import { setImmediate as breathe } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepByMark } from './keep-by-mark'

const createWork = () => {
  const keep = keepByMark<string>(`test-${Math.random()}`)
  const owner = {}
  const steps: string[] = []
  const get = (mark: string, signal?: AbortSignal) =>
    keep(owner, 1, {
      mark: [mark],
      signal,
      work: async (stop) => {
        for (let step = 1; step <= 5; step += 1) {
          stop.throwIfAborted()
          steps.push(`${mark}${step}`)
          await breathe()
        }
        if (mark === 'bad') throw new Error('failed')
        return mark
      },
    })
  return { get, steps }
}

test('one mark is worked for once, another mark again', async () => {
  const { get, steps } = createWork()
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a', 'a'])
  expect(await get('a')).toBe('a')
  expect(steps).toHaveLength(5)
  expect(await get('b')).toBe('b')
  expect(steps).toHaveLength(10)
})

test('the work stops when everyone who waits has left, and begins again for the next', async () => {
  const { get, steps } = createWork()
  const [first, second] = [new AbortController(), new AbortController()]
  const both = Promise.allSettled([get('a', first.signal), get('a', second.signal)])
  await breathe()
  first.abort()
  await breathe()
  const untilFirst = steps.length
  await breathe()
  expect(steps.length).toBeGreaterThan(untilFirst)
  second.abort()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const ended = steps.length
  expect(ended).toBeLessThan(5)
  for (let turn = 0; turn < 5; turn += 1) await breathe()
  expect(steps).toHaveLength(ended)
  expect(await get('a')).toBe('a')
})

test('who stays gets the result although another has left', async () => {
  const { get } = createWork()
  const leaving = new AbortController()
  const left = get('a', leaving.signal)
  const stays = get('a', new AbortController().signal)
  await breathe()
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(await stays).toBe('a')
})

test('a failure is not kept', async () => {
  const { get, steps } = createWork()
  await expect(get('bad')).rejects.toThrow('failed')
  await expect(get('bad')).rejects.toThrow('failed')
  expect(steps).toHaveLength(10)
})
