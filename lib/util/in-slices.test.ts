import { expect, test } from 'vitest'
import { inSlices } from './in-slices'

/** Work in 500 steps of a millisecond that `isOver` ends early. */
function* work(isOver: () => boolean): Generator<void, string> {
  for (let step = 0; step < 500; step += 1) {
    if (isOver()) return 'ended early'
    const endMs = performance.now() + 1
    while (performance.now() < endMs);
    yield
  }
  return 'ran to its end'
}

test('other work runs while the steps continue', async () => {
  let isOver = false
  setTimeout(() => {
    isOver = true
  }, 1)
  expect(await inSlices(work(() => isOver))).toBe('ended early')
})

test('an aborted signal ends the work', async () => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('the browser left')), 1)
  await expect(
    inSlices(
      work(() => false),
      stop.signal,
    ),
  ).rejects.toThrow('the browser left')
})
