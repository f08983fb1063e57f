import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './scripts/testing/browser'

const executablePath = findBrowser()
const isCi = process.env.CI === 'true'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
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
    // The page as it was at each action, without a film of it, which costs as much as many a test.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: { args: BROWSER_FLAGS, ...(executablePath ? { executablePath } : {}) },
  },
  projects: [
    { name: 'light', use: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } },
    { name: 'dark', grep: /@themes/, use: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } } },
    { name: 'narrow', grep: /@narrow/, use: { colorScheme: 'light', viewport: { width: 390, height: 844 } } },
  ],
})
