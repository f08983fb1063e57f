import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './scripts/testing/browser'

const executablePath = findBrowser({ isForTests: true })
const isCi = process.env.CI === 'true'
/** What only the long form runs; docs/ci.md says what holds each of them in the short one. */
const LONG = process.env.SLICEBOARD_LONG === '1' ? {} : { grepInvert: /@long/ }

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/world/run-worlds.ts',
  // Tests of a file share what they look at, so a file stays with one worker.
  fullyParallel: false,
  ...LONG,
  // They wait for rounds and reports for much of their time.
  workers: 3,
  // On a machine that many share a page can starve. What passes at its second try only is named at the end of the run.
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    // The page as it was at each action, without a film of it, which costs as much as many a test. In CI of the second try
    // only: most tests pass, and to keep what they did takes of the core that they wait for.
    trace: { mode: isCi ? 'on-first-retry' : 'retain-on-failure', screenshots: false },
    launchOptions: { args: BROWSER_FLAGS, ...(executablePath ? { executablePath } : {}) },
  },
  // Dark and narrow a test looks at the same page (e2e/world/looks.ts).
  projects: [{ name: 'light', use: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } }],
})
