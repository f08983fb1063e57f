import { test as base } from './test'

type Stoppable = { stop: () => Promise<void> }

/**
 * `test` with a `cloud` that the tests of one file share, so they only look, or sign in for themselves. Opened by the first
 * that requests it. Not one of the worker's: for each of those Playwright starts a separate worker.
 */
export const withSharedWorld = <World extends Stoppable>(open: () => Promise<World>) => {
  let opened: Promise<World> | null = null
  const test = base.extend<{ cloud: World }>({
    cloud: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
      async ({}, use) => {
        opened ??= open()
        await use(await opened)
      },
      { timeout: 180_000 },
    ],
  })
  test.afterAll(async () => (await opened)?.stop())
  return test
}
