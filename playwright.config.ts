import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './scripts/testing/browser'

const executablePath = findBrowser({ isForTests: true })
const isCi = process.env.CI === 'true'
/** Tests of the long form only; docs/ci.md names the test that covers each of them in the short form. */
const LONG = process.env.SLICEBOARD_LONG === '1' ? {} : { grepInvert: /@long/ }

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/world/run-worlds.ts',
  // Tests of a file share their world, so a file stays with one worker.
  fullyParallel: false,
  ...LONG,
  // They wait for rounds and reports for much of their time.
  workers: 3,
  // On a shared machine a page can be too slow. Tests that pass only at the second attempt are listed at the end.
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    // Snapshots of the page at each action, without screenshots, which cost as much as some tests. In CI only for the
    // second attempt: most tests pass, and recording uses the CPU that they wait for.
    trace: { mode: isCi ? 'on-first-retry' : 'retain-on-failure', screenshots: false },
    launchOptions: { args: BROWSER_FLAGS, ...(executablePath ? { executablePath } : {}) },
  },
  // Tests check the same page in dark and narrow, too (e2e/world/looks.ts).
  projects: [{ name: 'light', use: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } }],
})
